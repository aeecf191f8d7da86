import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useService } from '../harness.ts'
import { collectRoutes } from './collect-routes.ts'

const allRoutes = collectRoutes()
const service = useService()

test('the log leaves out the token of every public address that ends in one', async () => {
  const withToken = allRoutes().filter(
    ({ url, isPublic, method }) => isPublic && url.endsWith('/:token') && method !== 'HEAD',
  )
  assert.ok(withToken.length >= 8, String(withToken.length))
  for (const [index, { method, url }] of withToken.entries()) {
    const token = `secret-of-a-link-${index}-0123456789012345678901`
    for (const path of [url.replace(':token', token), `${url.replace(':token', token)}/and/more`])
      await service.call(method, path, { headers: { accept: 'text/html' } })
    assert.ok(
      service.log.some((line) => line.includes(url.replace(':token', '…'))),
      url,
    )
    assert.ok(!service.log.some((line) => line.includes(token)), `${method} ${url}`)
  }
})

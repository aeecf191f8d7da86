import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, test } from 'node:test'
import { useService } from '#test/harness.ts'
import { signedIn } from '#test/people.ts'
import { visit } from '#test/visitor.ts'

const service = useService()

const ASSETS = readdirSync(new URL('../../../admin/dist/assets/', import.meta.url))
const assetOf = (ending: string) =>
  ASSETS.find((name) => name.endsWith(ending)) ?? assert.fail(`no ${ending} was built`)

describe('the page of the admin interface', () => {
  test('is the same at all of its addresses, under a strict policy with a nonce of its own', async () => {
    const visitor = await signedIn(service, await service.openShop())
    const nonces = new Set<string>()
    for (const path of ['/admin', '/admin/orders', '/admin/orders/1000?q=x', '/admin/no/such/place']) {
      const { status, headers, text } = await visitor.get(path)
      assert.equal(status, 200, path)
      const policy = headers.get('content-security-policy') ?? ''
      const [, nonce = ''] = /style-src 'self' 'nonce-([\w-]{43})';/.exec(policy) ?? []
      nonces.add(nonce)
      assert.match(policy, /^default-src 'none'; script-src 'self';.* frame-ancestors 'none'; base-uri 'none'$/)
      assert.ok(text.includes(nonce) && !text.includes('LICET_NONCE'))
      assert.doesNotMatch(text, /<script(?![^>]* src=)|<style|\son\w+=|style=/)
      assert.deepEqual([headers.get('cache-control'), headers.get('x-frame-options')], ['no-store', 'DENY'])
    }
    assert.equal(nonces.size, 4)
  })

  test('is for people who have signed in, on the service\u2019s own host', async () => {
    const answer = await visit(service.url).get('/admin/orders?view=to_ship')
    const back = encodeURIComponent('/admin/orders?view=to_ship')
    assert.deepEqual([answer.status, answer.location], [303, `/sign-in?return_to=${back}`])
  })

  test('leaves the API to programs', async () => {
    const visitor = await signedIn(service, await service.openShop())
    for (const path of ['/admin/api/nothing.json', '/admin/api/orders/0.json'])
      assert.match((await visitor.get(path)).headers.get('content-type') ?? '', /^application\/json/, path)
    const { status, headers } = await visitor.get('/admin/api/orders/1000/refunds.json')
    assert.deepEqual([status, headers.get('allow')], [405, 'POST'])
  })
})

describe('the files of the admin interface', () => {
  const get = (name: string, encoding = 'identity') =>
    fetch(`${service.url}/admin/assets/${name}`, { headers: { 'accept-encoding': encoding } })

  test('are all there, whatever the build has called them', async () => {
    for (const name of ASSETS) assert.equal((await get(name)).status, 200, name)
    assert.equal((await get('..%2Findex.html')).status, 404)
    assert.equal((await get('a..js')).status, 404)
  })

  test('are kept by browsers for ever, and compressed', async () => {
    for (const [ending, type] of Object.entries({
      '.js': 'text/javascript',
      '.css': 'text/css',
      '.woff2': 'font/woff2',
    })) {
      const answer = await get(assetOf(ending))
      assert.equal(answer.status, 200)
      assert.ok(answer.headers.get('content-type')?.startsWith(type))
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    }
    for (const encoding of ['br', 'gzip']) {
      const answer = await get(assetOf('.css'), encoding)
      assert.equal(answer.headers.get('content-encoding'), encoding)
      assert.equal(await answer.text(), await (await get(assetOf('.css'))).text())
    }
    assert.equal((await get(assetOf('.woff2'), 'br')).headers.get('content-encoding'), null)
  })

  test('are those of the build, and no others', async () => {
    const names = [
      'nothing.js',
      '..%2findex.html',
      '%2e%2e%2f%2e%2e%2fpackage.json',
      'index.html',
      'x'.repeat(200),
      '%00.js',
    ]
    for (const name of names) assert.ok([400, 404, 422].includes((await get(name)).status), name)
  })
})

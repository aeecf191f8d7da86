import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useService } from '../harness.ts'
import { snapshot } from '../snapshot.ts'
import { visit } from '../visitor.ts'
import { collectRoutes } from './collect-routes.ts'

const allRoutes = collectRoutes()
const service = useService()

describe('every form of a shop', () => {
  test('is refused unless a page of the shop has sent it', async () => {
    const shop = await service.openShop()
    const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
    const posts = allRoutes().filter(({ method, url }) => method === 'POST' && url.startsWith('/shop/:shop'))
    assert.ok(posts.length >= 20, `${posts.length}`)
    const before = await snapshot(service.db)
    for (const { url } of posts) {
      const path = url.replace(':shop', id).replace(/:\w+/g, '1')
      for (const headers of [
        {},
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
      ]) {
        const answer = await visit(service.url).post(path, {}, headers)
        assert.equal(answer.status, 403, `${path} ${JSON.stringify(headers)}: ${answer.text}`)
      }
    }
    assert.deepEqual(await snapshot(service.db), before)
  })
})

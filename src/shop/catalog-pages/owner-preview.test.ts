import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'
import { signedIn } from '#test/people.ts'
import { visit } from '#test/visitor.ts'

const service = useService()

describe('the preview of a product', () => {
  test('shows a hidden one to the users of its company, and to nobody else', async () => {
    service.app.baseUrl = service.url
    const [shop, other] = [await service.openShop(), await service.openShop()]
    const [{ id }] = (await shop.get('/api/themesettings.json')).body.ThemeSettings
    const hidden = await aFilm(service, shop, 1499, { title: 'The Last Ferry', published: false })
    const path = `/shop/${id}/products/${hidden.id}/preview`
    const [owner, stranger] = [await signedIn(service, shop), await signedIn(service, other)]
    const page = await owner.get(path)
    assert.equal(page.status, 200, page.text)
    assert.match(page.text, /Only you can see this page/)
    assert.match(page.text, /<h1 dir="auto">The Last Ferry<\/h1>/)
    assert.match(page.text, /€14\.99/)
    assert.match(page.text, /<meta name="robots" content="noindex/)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.equal((await visit(service.url).get(path)).status, 404)
    assert.equal((await stranger.get(path)).status, 404)
    assert.equal((await owner.get(`/shop/${id}/products/${hidden.id}`)).status, 404)
    const foreign = await aFilm(service, other, 1499)
    assert.equal((await owner.get(`/shop/${id}/products/${foreign.id}/preview`)).status, 404)
    assert.equal((await owner.get(`/shop/${id}/products/x/preview`)).status, 404)
  })
})

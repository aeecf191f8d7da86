import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { askHost } from '#test/hosts.ts'
import { enterShop } from '#test/owned-content.ts'
import { aReadingApp, fetchBytes, fetchJson, openLicense } from '#test/reading-app.ts'
import { aProtectedBook, whileWorking } from '#test/reading-licenses.ts'
import { useShopPages } from '#test/shop-pages.ts'
import type { Visitor } from '#test/visitor.ts'

const service = useService()
const pages = useShopPages(service)

const place = (id: number) => `${pages.base}/my-content/${id}`
const enter = (customer: Wire) => enterShop(service, pages.shop, pages.base, customer)
const owned = (terms: object = {}) => aProtectedBook(service, { shop: pages.shop, terms })

async function setUp(visitor: Visitor, id: number, file_id: number): Promise<string> {
  const ask = () => whileWorking(service, visitor.post(`${place(id)}/reading`, { file_id: String(file_id) }))
  let answer = await ask()
  // A slow machine shows the page that waits, and the customer asks again.
  for (; answer.location?.includes('encrypting'); answer = await ask()) await service.runJobs()
  assert.equal(answer.status, 303, answer.text)
  return (await visitor.get(place(id))).text
}

describe('a protected book in My Content', () => {
  test('is set up once, and then has its passphrase, its license and the whole book', async () => {
    const { id, customer, files } = await owned({ total_downloads: 1 })
    const visitor = await enter(customer)
    const before = (await visitor.get(place(id))).text
    assert.match(before, /<h2 id="reading-title">Open in a reading app<\/h2>/)
    assert.doesNotMatch(before, /id="passphrase"|\/download"/)
    const after = await setUp(visitor, id, files[0]?.id)
    const [, passphrase = ''] = /<code id="passphrase">([^<]+)</.exec(after) ?? []
    const [, license = ''] = /href="(\/lcp\/[^"]+\/license\.lcpl)"/.exec(after) ?? []
    const [, book = ''] = /href="(\/lcp\/[^"]+\/download)"/.exec(after) ?? []
    await openLicense((await fetchJson(`${service.url}${license}`)).body, passphrase)
    assert.equal((await fetchBytes(`${service.url}${book}`)).status, 200)
    // What was bought for good has nothing to return.
    assert.doesNotMatch(after, /\/return"/)
  })

  test('that is rented is returned by its customer and by nobody else', async () => {
    const { id, customer, files } = await owned({ expire_after_acquisition: 30, expire_after_acquisition_mode: 1 })
    const visitor = await enter(customer)
    const after = await setUp(visitor, id, files[0]?.id)
    const [, license_id = ''] = /name="license_id" value="(\d+)"/.exec(after) ?? []
    const [, license = ''] = /href="(\/lcp\/[^"]+)\/license\.lcpl"/.exec(after) ?? []
    const status = async () => (await fetchJson(`${service.url}${license}/status`)).body
    await aReadingApp('device one', 'Thorium').register(await status())
    assert.match((await visitor.get(place(id))).text, /Opened in: <span dir="auto">Thorium<\/span>/)
    const other = await owned()
    const stranger = await enter(other.customer)
    assert.equal((await stranger.post(`${place(id)}/return`, { license_id })).status, 404)
    await stranger.post(`${place(other.id)}/return`, { license_id })
    assert.equal((await status()).status, 'active')
    assert.equal((await visitor.post(`${place(id)}/return`, { license_id })).status, 303)
    assert.equal((await status()).status, 'returned')
    assert.equal((await visitor.post(`${place(id)}/return`, { license_id })).status, 303)
    assert.match((await visitor.get(place(id))).text, /\/reading"/)
  })

  test('whose license was passed on is taken away from all reading apps by its buyer', async () => {
    const { id, customer, files } = await owned({ total_concurrent_devices: 2, annual_concurrent_devices: -1 })
    const visitor = await enter(customer)
    const [, license = ''] = /href="(\/lcp\/[^"]+)\/license\.lcpl"/.exec(await setUp(visitor, id, files[0]?.id)) ?? []
    const status = async () => (await fetchJson(`${service.url}${license}/status`)).body
    for (const name of ['one', 'two']) await aReadingApp(`invented ${name}`, 'Stranger').register(await status())
    const mine = aReadingApp('mine', 'Thorium')
    await assert.rejects(mine.register(await status()))
    const { text } = await visitor.get(place(id))
    const [, license_id = ''] =
      /\/reading-apps\/remove"><input type="hidden" name="license_id" value="(\d+)"/.exec(text) ?? []
    const other = await owned()
    const stranger = await enter(other.customer)
    assert.equal((await stranger.post(`${place(id)}/reading-apps/remove`, { license_id })).status, 404)
    await stranger.post(`${place(other.id)}/reading-apps/remove`, { license_id })
    assert.match((await visitor.get(place(id))).text, /Stranger/)
    assert.equal((await visitor.post(`${place(id)}/reading-apps/remove`, { license_id })).status, 303)
    assert.doesNotMatch((await visitor.get(place(id))).text, /Stranger/)
    await mine.register(await status())
    assert.match((await visitor.get(place(id))).text, /Thorium/)
  })

  test('is not offered where nothing may be downloaded, nor after a refund', async () => {
    const none = await owned({ total_downloads: 0 })
    assert.doesNotMatch((await (await enter(none.customer)).get(place(none.id))).text, /reading-title/)
    const { id, customer, files, shop } = await owned()
    const visitor = await enter(customer)
    await setUp(visitor, id, files[0]?.id)
    await shop.post(`/api/entitlements/${id}/revoke.json`)
    assert.doesNotMatch((await visitor.get(place(id))).text, /id="passphrase"|license\.lcpl/)
  })

  test('still reads in the page, part by part and never as a whole', async () => {
    const { id, customer } = await owned()
    const visitor = await enter(customer)
    const { text } = await visitor.post(`${place(id)}/read`, {})
    const [, address = ''] = /<iframe [^>]*src="([^"]+)"/.exec(text) ?? []
    const { host, pathname } = new URL(address)
    const ask = (path: string) => askHost(service.url, { host, path: `${pathname}${path}` })
    const part = await ask('/part?name=c1.xhtml')
    assert.equal(part.status, 200)
    assert.match(part.text, /Paragraph of chapter 1/)
    assert.equal((await ask('/file')).status, 404)
    await pages.shop.post(`/api/entitlements/${id}/revoke.json`)
    assert.equal((await ask('/part?name=c2.xhtml')).status, 403)
  })
})

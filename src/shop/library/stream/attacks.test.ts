import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aGroup, join } from '#test/clubs.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aFilm } from '#test/media.ts'
import { aBuyer, aFilm as aSoldFilm } from '#test/orders.ts'
import { enterShop } from '#test/owned-content.ts'
import { baseOf } from '#test/shop-pages.ts'
import { beside, decrypt, type StreamSale, streaming } from '#test/streaming.ts'
import { upload } from '#test/uploads.ts'

const service = useService()
const { aSale, enter, play, listOf, fetchBytes, askKey, reasonOf } = streaming(service)

const HOUR_MS = 3_600_000

/** A protected film that somebody has as a member, and who plays it. */
async function aMember(shop: Shop) {
  const base = await baseOf(shop)
  const group = await aGroup(service, shop, {}, { total_concurrent_devices: -1, annual_concurrent_devices: -1 })
  const film = await aSoldFilm(service, shop, 1190, { groups: [{ group_id: group.id }], drm_protected: true })
  await upload(service, shop, film, await aFilm(), { name: 'film.mp4', role: 'main_sd' })
  await service.runJobs()
  const customer = await aBuyer(shop)
  const ends_at = new Date(service.clock.now().getTime() + 2 * HOUR_MS).toISOString()
  const member = await join(shop, group.id, customer.token, { ends_at })
  const visitor = await enterShop(service, shop, base, customer)
  const opened = await visitor.post(`${base}/my-content/open`, { product_id: String(film.id) })
  const id = Number(opened.location?.split('/').at(-2))
  const sale: StreamSale = { shop, base, owned: { id, customer } }
  const { url } = await play(sale, visitor)
  assert.equal((await askKey(visitor, url)).status, 200)
  return { visitor, url, member, sale }
}

describe('a running film of a member stops', () => {
  test('when the membership ends by itself', async () => {
    const { visitor, url, sale } = await aMember(await service.openShop())
    service.clock.advance(7201)
    assert.equal(await reasonOf(visitor, url), 'membership_ended')
    assert.equal((await play(sale, visitor)).status, 403)
  })

  test('when the shop ends the membership', async () => {
    const shop = await service.openShop()
    const { visitor, url, member } = await aMember(shop)
    assert.equal((await shop.delete(member.path)).status, 200)
    assert.equal(await reasonOf(visitor, url), 'membership_ended')
  })
})

describe('a device id', () => {
  test('that was copied to another browser of the customer lets one of the two play', async () => {
    const sale = await aSale({ total_concurrent_devices: 1 })
    const [first, second] = [await enter(sale), await enter(sale)]
    const { url } = await play(sale, first)
    assert.equal((await play(sale, second)).status, 403, 'a device of its own is one too many')
    const [name = '', id = ''] = [...first.cookies].find(([cookie]) => cookie.includes('licet_device')) ?? []
    assert.ok(id)
    second.cookies.set(name, id)
    const copy = await play(sale, second)
    assert.equal((await askKey(second, copy.url)).status, 200)
    assert.equal(await reasonOf(first, url), 'played_elsewhere')
    assert.equal((await askKey(first, copy.url)).status, 404, 'and its playback is of the other session')
  })

  test('of another customer is nobody else’s place', async () => {
    const sale = await aSale({ total_concurrent_devices: 1 })
    const other = await aSale({ total_concurrent_devices: 1 })
    const [owner, stranger] = [await enter(sale), await enter(other)]
    const { url } = await play(sale, owner)
    const [name = '', id = ''] = [...owner.cookies].find(([cookie]) => cookie.includes('licet_device')) ?? []
    stranger.cookies.set(name, id)
    assert.equal((await play(other, stranger)).status, 200)
    assert.equal((await askKey(owner, url)).status, 200, 'it goes on')
  })
})

describe('a segment', () => {
  test('that another session has the address of is sent to nobody else, and is worth nothing without its key', async () => {
    const sale = await aSale()
    const visitor = await enter(sale)
    const { url } = await play(sale, visitor)
    const [segment] = await listOf(visitor, url)
    assert.ok(segment)
    const address = beside(url, segment.uri)
    for (const other of [await enter(sale), await enter(await aSale())])
      assert.notEqual((await fetchBytes(other, address)).status, 200)
    const { bytes } = await fetchBytes(visitor, address)
    const again = await play(sale, visitor)
    const { bytes: later } = await askKey(visitor, again.url)
    assert.throws(() => assert.equal(decrypt(bytes, later, segment.iv).toString('latin1', 4, 8), 'moof'))
  })
})

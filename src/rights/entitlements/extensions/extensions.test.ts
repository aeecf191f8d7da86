import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aSale, ask, contentOf, pass, play, read } from '#test/entitlements.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, anOrder } from '#test/orders.ts'
import { aMirroredFilm } from '#test/sales.ts'

const service = useService()
const HOUR = 3600
const wire = (time: number) => new Date(time).toISOString().slice(0, 19)
const inHours = (hours: number) => wire(service.clock.now().getTime() + hours * HOUR * 1000)

const extend = (shop: Shop, id: number, extension: object) =>
  shop.post(`/api/entitlements/${id}/extensions.json`, { extension })

/** A rental of 48 hours from first use, to be started within 30 days, on one device. */
const RENTAL = {
  drm: 1,
  expire_after_acquisition: 30,
  expire_after_acquisition_mode: 1,
  expire_after_first_use: 48,
  expire_after_first_use_mode: 0,
  total_concurrent_devices: 1,
  total_downloads: 1,
}

async function aRental() {
  const { shop, content, customer } = await aSale(service, RENTAL)
  return { shop, customer, id: content[0]?.id as number }
}

describe('an extension', () => {
  test('gives time to a rental that is over, and the explanation shows it', async () => {
    const { shop, id } = await aRental()
    await ask(shop, 'use', id, play)
    const later = await pass(service, shop, 49 * HOUR)
    assert.equal((await ask(later, 'check', id, play)).code, 'expired')
    const answer = await extend(later, id, { ends_at: inHours(24), reason: 'The train had no network' })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual([answer.body.entitlement.state, answer.body.entitlement.ends_at], ['active', inHours(24)])
    assert.deepEqual(await read(later, id), answer.body.entitlement, 'as it is stored')
    assert.equal((await ask(later, 'check', id, play)).code, 'allowed')
    const { explanation } = (await later.get(`/api/entitlements/${id}/explain.json?action=play&device=tv`)).body
    const expiry = explanation.rules.find(({ rule }: { rule: string }) => rule === 'expiry')
    assert.deepEqual([expiry.verdict, expiry.input.ends_at], ['passed', answer.body.entitlement.ends_at])
    const [topic] = await service.db
      .selectFrom('events')
      .select('topic')
      .where('company_id', '=', shop.companyId)
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    assert.equal(topic?.topic, 'entitlement/update')
  })

  test('keeps the time from first use for what nobody has used yet', async () => {
    const { shop, id } = await aRental()
    assert.equal((await extend(shop, id, { ends_at: inHours(60 * 24), reason: 'Ill' })).status, 200)
    const later = await pass(service, shop, 40 * 24 * HOUR)
    assert.equal((await ask(later, 'use', id, play)).code, 'allowed')
    const over = await pass(service, later, 49 * HOUR)
    assert.equal((await ask(over, 'check', id, play)).code, 'expired')
  })

  test('gives downloads and devices, beyond those that are used', async () => {
    const { shop, id } = await aRental()
    const download = { action: 'download', device: 'tv' }
    await ask(shop, 'use', id, download)
    assert.equal((await ask(shop, 'check', id, download)).code, 'downloads_used_up')
    assert.equal((await ask(shop, 'check', id, { ...play, device: 'phone' })).code, 'device_limit')
    assert.equal((await extend(shop, id, { downloads: 2, devices: 1, reason: 'Lost' })).status, 200)
    assert.equal((await read(shop, id)).remaining.downloads, 2)
    assert.equal((await ask(shop, 'use', id, { ...play, device: 'phone' })).code, 'allowed')
  })

  test('is refused with the field that is wrong, and changes nothing', async () => {
    const { shop, id } = await aRental()
    const before = await read(shop, id)
    const reason = 'Because'
    const wrong: [object, string][] = [
      [{ reason }, 'ends_at'],
      [{ downloads: 1, reason: '  ' }, 'reason'],
      [{ downloads: 1 }, 'reason'],
      [{ ends_at: inHours(-24), reason }, 'ends_at'],
      [{ ends_at: inHours(24), reason }, 'ends_at'],
      [{ downloads: 0, reason }, 'downloads'],
      [{ downloads: 'many', reason }, 'downloads'],
      [{ devices: 1e9, reason }, 'devices'],
    ]
    for (const [extension, field] of wrong) {
      const answer = await extend(shop, id, extension)
      assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, [field]], JSON.stringify(extension))
    }
    assert.deepEqual(await read(shop, id), before)
    const { shop: free, content } = await aSale(service)
    const endless = await extend(free, content[0]?.id, { ends_at: inHours(24), downloads: 1, devices: 1, reason })
    assert.deepEqual([endless.status, Object.keys(endless.body.errors)], [422, ['ends_at', 'downloads', 'devices']])
  })

  test('is for the company alone, and not for what belongs to another one', async () => {
    const { shop, customer, id } = await aRental()
    const stranger = await service.openShop()
    assert.equal((await extend(stranger, id, { downloads: 1, reason: 'Mine' })).status, 404)
    const player = await shop.asCustomer(customer.id)
    assert.equal((await extend(player, id, { downloads: 1, reason: 'Mine' })).status, 403)
    const mirror = await aMirroredFilm(service, shop)
    const buyer = await aBuyer(shop)
    await anOrder(shop, buyer, [mirror])
    const [mirrored] = await contentOf(shop, buyer)
    const answer = await extend(shop, mirrored?.id, { downloads: 1, reason: 'Ours' })
    assert.deepEqual([answer.status, answer.body.reason], [409, 'extension_owes_owner'])
  })

  test('adds up if two give something at once', async () => {
    const { shop, id } = await aRental()
    await Promise.all([1, 2, 3].map((downloads) => extend(shop, id, { downloads, reason: 'At once' })))
    assert.equal((await read(shop, id)).remaining.downloads, 7)
  })
})

test('what a customer was refused is listed, with its title', async () => {
  const { shop, customer, id } = await aRental()
  await ask(shop, 'use', id, play)
  await ask(shop, 'use', id, { ...play, device: 'phone' })
  const { refusals } = (await shop.get(`/api/customers/${customer.token}/refusals.json`)).body
  assert.deepEqual(
    refusals.map(({ code, device, entitlement_id }: Record<string, unknown>) => [code, device, entitlement_id]),
    [['device_limit', 'phone', id]],
  )
  assert.equal((await (await service.openShop()).get(`/api/customers/${customer.token}/refusals.json`)).status, 404)
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { countPlay, openDeviceLicense, refreshDeviceLicense, returnDeviceLicense } from '#client/device-licenses.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createVault } from '#platform/identity/vault.ts'
import { takeContentKey } from '#rights/content-keys/commands.ts'
import { pass, read } from '#test/entitlements.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import {
  aDevice,
  anOwnedFilm,
  clientOf,
  type Device,
  fetchTrack,
  type Owned,
  opened,
  refusal,
  taken,
} from '#test/offline-apps.ts'
import { upload } from '#test/uploads.ts'

const service = useService()
const DAY = 86_400

const refresh = (shop: Shop, license: Parameters<typeof refreshDeviceLicense>[1], now = service.clock.now()) =>
  refreshDeviceLicense(clientOf(service, shop), license, { now })

const giveBack = (shop: Shop, license: Parameters<typeof returnDeviceLicense>[1]) =>
  returnDeviceLicense(clientOf(service, shop), license)

const plainly = (license: Awaited<ReturnType<typeof taken>>, { keys }: Device, now: Date) =>
  openDeviceLicense(license, keys, { now })

async function licensesOf({ shop, id }: Owned): Promise<Wire[]> {
  return (await shop.get(`/api/entitlements/${id}/device_licenses.json`)).body.device_licenses
}

const bytesAt = async (shop: Shop, license: Parameters<typeof fetchTrack>[2]) =>
  (await fetchTrack(service, shop, license, 'v', { range: 'bytes=0-63' })).bytes.toString('hex')

describe('a refresh', () => {
  test('gives the same keys a new end, also after the old one, and counts no download', async () => {
    const owned = await anOwnedFilm(service, { terms: { total_downloads: 1, total_concurrent_devices: 1 } })
    const device = await aDevice()
    const license = await taken(service, owned, device)
    const before = await bytesAt(owned.shop, license)
    const shop = await pass(service, owned.shop, 31 * DAY)
    assert.partialDeepStrictEqual(await plainly(license, device, service.clock.now()), {
      reason: 'expired',
      isFinal: false,
    })
    assert.equal((await fetchTrack(service, shop, license, 'v')).reason, 'device_license_ended')
    assert.deepEqual(
      (await licensesOf({ ...owned, shop })).map(({ status }) => status),
      ['expired'],
    )
    const renewed = await refresh(shop, license)
    assert.deepEqual(renewed.changed, ['end'])
    const { license: claims } = await opened(service, renewed.license, device)
    assert.equal(claims.exp - claims.iat, 30 * DAY)
    assert.equal(await bytesAt(shop, renewed.license), before)
    const { remaining } = await read(shop, owned.id)
    assert.deepEqual([remaining.downloads, remaining.devices], [0, 0])
  })

  test('says what has changed: nothing, its tracks, and its keys after the secret was lost', async () => {
    const owned = await anOwnedFilm(service, { terms: { total_downloads: 5 } })
    const { shop } = owned
    const device = await aDevice()
    const license = await taken(service, owned, device)
    assert.deepEqual((await refresh(shop, license)).changed, [])
    const texts = { name: 'film.de.vtt', role: 'subtitles', language: 'de' }
    await upload(service, shop, owned.product, Buffer.from('WEBVTT\n\n00:00.000 --> 00:02.000\nSeeschwalben\n'), texts)
    assert.deepEqual((await refresh(shop, license)).changed, ['tracks'])
    const { id: packed } = await service.db
      .selectFrom('packed_files')
      .select('id')
      .where('company_id', '=', shop.companyId)
      .executeTakeFirstOrThrow()
    const lost = createVault('another secret that is quite long enough')
    await inTransaction(service.db, (tx) =>
      takeContentKey(tx, lost, shop.companyId, `packed/${packed}`, service.clock.now()),
    )
    const renewed = await refresh(shop, license)
    assert.deepEqual(renewed.changed, ['keys'])
    const { license: claims } = await opened(service, renewed.license, device)
    assert.notEqual(claims.tracks[0]?.etag, (await opened(service, license, device)).license.tracks[0]?.etag)
  })

  test('is refused with its reason once the customer may not play it any more', async () => {
    const owned = await anOwnedFilm(service)
    const device = await aDevice()
    const license = await taken(service, owned, device)
    await owned.shop.post(`/api/entitlements/${owned.id}/revoke.json`)
    const refused = await refresh(owned.shop, license)
    assert.deepEqual([refused.decision.code, refused.changed], ['withdrawn', []])
    assert.equal((await fetchTrack(service, owned.shop, license, 'v')).status, 403)
    await owned.shop.post(`/api/entitlements/${owned.id}/restore.json`)
    assert.equal((await refresh(owned.shop, license)).decision.allowed, true)
  })

  test('ends with the entitlement, and takes no place that another device has got meanwhile', async () => {
    const rented = await anOwnedFilm(service, { terms: { expire_after_first_use: 48, total_concurrent_devices: 1 } })
    const [tablet, phone] = [await aDevice(), await aDevice('phone')]
    const license = await taken(service, rented, tablet)
    const { license: claims } = await opened(service, license, tablet)
    assert.equal(claims.exp - claims.iat, 2 * DAY)
    const later = await pass(service, rented.shop, 3 * DAY)
    assert.equal((await refresh(later, license)).decision.code, 'expired')
    const kept = await anOwnedFilm(service, { terms: { total_concurrent_devices: 1 } })
    const first = await taken(service, kept, tablet)
    const shop = await pass(service, kept.shop, 31 * DAY)
    await taken(service, { ...kept, shop }, phone)
    assert.equal((await refresh(shop, first)).decision.code, 'device_limit')
  })

  test('counts what was played without a connection once, however often it is reported', async () => {
    const owned = await anOwnedFilm(service)
    const device = await aDevice()
    let license = await taken(service, owned, device)
    const shop = await pass(service, owned.shop, DAY)
    const at = (minutesAgo: number) => new Date(service.clock.now().getTime() - minutesAgo * 60_000)
    license = countPlay(countPlay(license, at(200)), at(100))
    await refresh(shop, license)
    const refreshed = await refresh(shop, license)
    assert.deepEqual(refreshed.license.plays, [])
    await giveBack(shop, countPlay(license, at(-60)))
    const { uses } = (await shop.get(`/api/entitlements/${owned.id}/uses.json`)).body
    const plays = uses.filter(({ action }: Wire) => action === 'play')
    assert.equal(plays.length, 3, 'a play ahead of the service is counted at its time')
    assert.ok(plays.every(({ device: name }: Wire) => name === 'tablet'))
  })
})

describe('a return', () => {
  test('frees the place of the device, and ends refreshing and downloading for good', async () => {
    const owned = await anOwnedFilm(service, { terms: { total_concurrent_devices: 1 } })
    const { shop } = owned
    const [tablet, phone] = [await aDevice(), await aDevice('phone')]
    const license = await taken(service, owned, tablet)
    const bytes = await bytesAt(shop, license)
    assert.equal(await refusal(service, owned, phone), 'device_limit')
    await giveBack(shop, license)
    await giveBack(shop, license)
    const { status, reason } = await fetchTrack(service, shop, license, 'v')
    assert.deepEqual([status, reason], [409, 'device_license_closed'])
    await assert.rejects(refresh(shop, license), { reason: 'device_license_closed' })
    await giveBack(shop, await taken(service, owned, phone))
    const again = await taken(service, owned, tablet)
    assert.notEqual(again.id, license.id)
    assert.notEqual(await bytesAt(shop, again), bytes, 'a new license has new keys')
    const statuses = (await licensesOf(owned)).map(({ device, status: word }) => `${device} ${word}`)
    assert.deepEqual(statuses, ['tablet returned', 'phone returned', 'tablet active'])
  })

  // Otherwise a device after another would get a file that stays valid.
  test('leaves the place of a license file, which stays valid', async () => {
    const owned = await anOwnedFilm(service, { terms: { total_concurrent_devices: 1 } })
    const license = await taken(service, owned, await aDevice())
    const file = await owned.shop.get(`/api/entitlements/${owned.id}/file.json?device=tablet`)
    assert.ok(file.body.license_file)
    await giveBack(owned.shop, license)
    assert.equal(await refusal(service, owned, await aDevice('phone')), 'device_limit')
  })

  test('is possible when the customer may not play it any more', async () => {
    const owned = await anOwnedFilm(service)
    const license = await taken(service, owned, await aDevice())
    await owned.shop.post(`/api/entitlements/${owned.id}/revoke.json`)
    await giveBack(owned.shop, license)
    assert.deepEqual(
      (await licensesOf(owned)).map(({ status }) => status),
      ['returned'],
    )
  })
})

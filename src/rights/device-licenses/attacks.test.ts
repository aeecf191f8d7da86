import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { importDeviceKeys, type Jwk, openDeviceLicense, refreshDeviceLicense } from '#client/device-licenses.ts'
import { verifyLicenseFile } from '#client/license-files.ts'
import { pass, read } from '#test/entitlements.ts'
import { useService } from '#test/harness.ts'
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
import { aBuyer } from '#test/orders.ts'
import { refund } from '#test/sales.ts'

const service = useService()
const DAY = 86_400
const HOUR_MS = 3_600_000

const open = (license: Parameters<typeof openDeviceLicense>[0], { keys }: Device, now = service.clock.now()) =>
  openDeviceLicense(license, keys, { now })

const ask = ({ shop, id }: Pick<Owned, 'shop' | 'id'>, public_key: object, device = 'tablet') =>
  shop.post(`/api/entitlements/${id}/device_license.json`, { device_license: { device, public_key } })

describe('a license on its device', () => {
  test('does not open with the key of another device, nor if it was edited', async () => {
    const owned = await anOwnedFilm(service)
    const [device, other] = [await aDevice(), await aDevice()]
    const license = await taken(service, owned, device)
    assert.partialDeepStrictEqual(await open(license, other), { reason: 'wrong_key', isFinal: true })
    assert.partialDeepStrictEqual(await open({ ...license, device: 'phone' }, device), { reason: 'wrong_device' })
    const [head, body = '', signature] = license.jws.split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
    const edited = (change: object) =>
      `${head}.${Buffer.from(JSON.stringify({ ...claims, ...change })).toString('base64url')}.${signature}`
    for (const change of [{ exp: claims.exp + DAY }, { device: null }, { cnf: { jkt: other.keys.thumbprint } }])
      assert.partialDeepStrictEqual(await open({ ...license, jws: edited(change) }, device), { reason: 'altered' })
    // Whoever has the thumbprint of the other key still has not its private half.
    const claimed = { ...other, keys: { ...other.keys, thumbprint: device.keys.thumbprint } }
    assert.partialDeepStrictEqual(await open(license, claimed), { reason: 'wrong_key' })
    // A license is no license file, and the other way round.
    const jwks = license.jwks
    assert.partialDeepStrictEqual(await verifyLicenseFile(license.jws, { jwks, device: 'tablet' }), {
      reason: 'malformed',
    })
    const file = (await owned.shop.get(`/api/entitlements/${owned.id}/file.json?device=tablet`)).body.license_file
    assert.partialDeepStrictEqual(await open({ ...license, jws: file.jws }, device), { reason: 'malformed' })
  })

  test('is refused on a clock that was set back, and deleted if the license says so', async () => {
    const device = await aDevice()
    const now = service.clock.now()
    const later = new Date(now.getTime() + 10 * HOUR_MS)
    for (const [terms, isFinal] of [
      [{ disable_on_clock_rollback: 1 }, false],
      [{ delete_on_clock_rollback: 1 }, true],
    ] as const) {
      const license = await taken(service, await anOwnedFilm(service, { terms }), device)
      const { lastSeen } = await open(license, device, later)
      const seen = { ...license, lastSeen }
      assert.partialDeepStrictEqual(await open(seen, device, now), { reason: 'clock_set_back', isFinal })
      assert.equal((await open(seen, device, later)).allowed, true)
    }
    const license = await taken(service, await anOwnedFilm(service), device)
    const early = new Date(now.getTime() - HOUR_MS)
    assert.partialDeepStrictEqual(
      await open(license, device, early),
      { reason: 'not_yet_valid' },
      'before it was issued',
    )
  })
})

describe('the service', () => {
  test('refreshes nothing for a clock that was set back, and ends the license if it says so', async () => {
    const device = await aDevice()
    const back = new Date(service.clock.now().getTime() - HOUR_MS)
    const suspended = await anOwnedFilm(service, { terms: { disable_on_clock_rollback: 1 } })
    const licet = clientOf(service, suspended.shop)
    const license = await taken(service, suspended, device)
    const code = async (now: Date) => (await refreshDeviceLicense(licet, license, { now })).decision.code
    assert.equal(await code(back), 'clock_set_back')
    assert.equal((await fetchTrack(service, suspended.shop, license, 'v')).reason, 'file_access_ended')
    assert.equal(await code(service.clock.now()), 'allowed')
    const deleted = await anOwnedFilm(service, { terms: { delete_on_clock_rollback: 1 } })
    const theirs = await taken(service, deleted, device)
    const ended = await refreshDeviceLicense(clientOf(service, deleted.shop), theirs, { now: back })
    assert.equal(ended.decision.code, 'ended_by_clock')
    assert.equal((await fetchTrack(service, deleted.shop, theirs, 'v')).status, 403)
  })

  test('gives nothing after a refund', async () => {
    const owned = await anOwnedFilm(service)
    const device = await aDevice()
    const license = await taken(service, owned, device)
    await refund(owned.shop, (await owned.shop.get('/api/orders.json')).body.orders[0].id)
    assert.equal((await refreshDeviceLicense(clientOf(service, owned.shop), license)).decision.code, 'refunded')
    assert.equal((await fetchTrack(service, owned.shop, license, 'v')).status, 403)
    assert.equal(await refusal(service, owned, await aDevice('phone')), 'refunded')
  })

  // Many machines would share one place otherwise.
  test('has one key for a device id as long as a license for another key lasts', async () => {
    const owned = await anOwnedFilm(service, { terms: { total_concurrent_devices: 1, total_downloads: 3 } })
    const [first, second] = [await aDevice(), await aDevice()]
    const license = await taken(service, owned, first)
    const refused = await ask(owned, second.keys.publicKey)
    assert.deepEqual([refused.status, refused.body.reason], [409, 'device_key_differs'])
    const another = await anOwnedFilm(service, { shop: owned.shop, customer: owned.customer })
    assert.equal((await ask(another, second.keys.publicKey)).body.reason, 'device_key_differs', 'another film')
    const shop = await pass(service, owned.shop, 31 * DAY)
    const later = { ...owned, shop }
    await taken(service, later, second)
    await assert.rejects(refreshDeviceLicense(clientOf(service, shop), license), { reason: 'device_license_closed' })
    assert.equal((await read(shop, owned.id)).remaining.downloads, 1, 'the new key is a download of its own')
  })

  test('hides licenses from other customers, other companies, and other entitlements', async () => {
    const owned = await anOwnedFilm(service)
    const { shop, customer } = owned
    const license = await taken(service, owned, await aDevice())
    const second = await anOwnedFilm(service, { shop, customer: await aBuyer(shop) })
    const [own, foreign] = [await shop.asCustomer(customer.id), await shop.asCustomer(second.customer.id)]
    const stranger = await anOwnedFilm(service)
    const named = (id: number) => `/api/entitlements/${id}/device_licenses/${license.id}`
    const body = { refresh: { client_time: new Date().toISOString() } }
    for (const [caller, id] of [
      [foreign, owned.id],
      [foreign, second.id],
      [shop, second.id],
      [stranger.shop, owned.id],
      [stranger.shop, stranger.id],
    ] as const) {
      const track = await fetchTrack(service, caller, { id: license.id, entitlementId: id }, 'v')
      assert.equal(track.status, 404)
      assert.equal((await caller.post(`${named(id)}/refresh.json`, body)).status, 404)
      assert.equal((await caller.post(`${named(id)}/return.json`, { return: {} })).status, 404)
    }
    assert.equal((await fetchTrack(service, own, license, 'v')).status, 200)
    const without = await fetch(`${service.url}${named(owned.id)}/tracks/v`)
    assert.equal(without.status, 401)
    const { status } = await fetchTrack(service, await shop.withScopes('products'), license, 'v')
    assert.equal(status, 403)
    assert.equal((await ask({ shop: foreign, id: owned.id }, (await aDevice()).keys.publicKey)).status, 404)
  })

  test('takes public keys only with which nobody else can open the license', async () => {
    const owned = await anOwnedFilm(service)
    const { publicKey } = (await aDevice()).keys
    const zero = Buffer.alloc(32)
    const point = (bytes: Buffer) => ({ kty: 'OKP', crv: 'X25519', x: bytes.toString('base64url') })
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const own = ec.publicKey.export({ format: 'jwk' })
    for (const key of [
      point(zero),
      point(Buffer.concat([Buffer.from([1]), zero.subarray(1)])),
      { ...publicKey, crv: 'P-256' },
      { ...publicKey, y: publicKey.x },
      { kty: 'EC', crv: 'P-256', x: own.x },
      { kty: 'EC', crv: 'P-256', x: own.x, y: own.x },
      { kty: 'OKP', crv: 'Ed25519', x: publicKey.x },
      { ...publicKey, x: 'short' },
    ])
      assert.equal((await ask(owned, key)).status, 422, JSON.stringify(key))
    assert.equal((await read(owned.shop, owned.id)).first_used_at, null)
    // Hardware of phones has P-256 alone.
    const keys = await importDeviceKeys(ec.privateKey.export({ format: 'jwk' }) as Jwk)
    const device = { device: 'phone', keys }
    assert.ok((await opened(service, await taken(service, owned, device), device)).trackKeys.has('v'))
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type LicenseFileOptions, verifyLicenseFile } from '#client/license-files.ts'
import { aLicense, aPrice, aProduct, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, anOrder } from '#test/orders.ts'

const service = useService()
const DAY = 86_400

/** A film under a license with these terms, which somebody has bought. */
async function aSale(terms: object = {}) {
  const shop = await service.openShop()
  const license = await aLicense(service, shop, { name: 'Rent', ...terms })
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 499 }] })
  const film = await aProduct(shop, {
    published: true,
    price_license_binding: [{ license_id: license.id, price_id: price.id }],
  })
  const customer = await aBuyer(shop)
  await anOrder(shop, customer, [{ product_id: film.product_id }])
  const { content } = (await shop.get(`/api/customers/${customer.token}/content.json`)).body
  return { shop, film, customer, id: content[0].id as number }
}

async function issue(shop: Shop, id: number, query = '?device=tv'): Promise<Wire> {
  const { status, headers, body, text } = await shop.get(`/api/entitlements/${id}/file.json${query}`)
  assert.equal(status, 200, text)
  assert.equal(headers.get('cache-control'), 'no-store')
  return body
}

/** Checks a file as a player does: with the published keys and nothing else. */
async function verify(jws: string, given: LicenseFileOptions = {}) {
  const jwks = (await service.call('GET', '/.well-known/jwks.json')).body
  return verifyLicenseFile(jws, { jwks, device: 'tv', now: service.clock.now(), ...given })
}

const inSeconds = (time: Date) => Math.floor(time.getTime() / 1000)
const daysAhead = ({ exp, iat }: { exp: number; iat: number }) => (exp - iat) / DAY

async function licenseIn(shop: Shop, id: number, query?: string) {
  const { license_file } = await issue(shop, id, query)
  const decision = await verify(license_file.jws)
  assert.ok(decision.allowed)
  return { license: decision.license, file: license_file }
}

describe('a license file', () => {
  test('says who may do what on which device, and the client of the project accepts it', async () => {
    const { shop, film, customer, id } = await aSale({
      drm: 1,
      play_prot_level_digital: 200,
      disable_on_clock_rollback: 1,
      total_concurrent_devices: 2,
      total_export: 3,
      annual_export: -1,
      export_pdf_print: 1,
      burn_play: 5,
    })
    const { license, file } = await licenseIn(shop, id)
    const { iat, nbf, exp, jti, ...rest } = license
    assert.ok(Math.abs(iat - inSeconds(service.clock.now())) < 5)
    assert.deepEqual([nbf, exp], [iat, iat + 30 * DAY])
    assert.match(jti, /^[\w-]{36}$/)
    assert.equal(Date.parse(`${file.expires_at}Z`) / 1000, exp)
    assert.deepEqual(rest, {
      iss: service.app.baseUrl,
      sub: customer.token,
      company_id: shop.companyId,
      entitlement_id: id,
      product_id: film.product_id,
      title: film.title,
      device: 'tv',
      license: {
        title: rest.license.title,
        drm: 1,
        // The exports that are left are counted by the service, so they need it.
        actions: { play: true, export: false, burn: false, print: true },
        pages_per_print: 5,
        delete_on_clock_rollback: 0,
        disable_on_clock_rollback: 1,
        protection: {
          copp_aps: 0,
          copp_cgms: 0,
          copp_hdcp: 0,
          copy_prot_level_analog: 0,
          copy_prot_level_digital: 0,
          play_prot_level_analog: 0,
          play_prot_level_digital: 200,
        },
      },
    })
    assert.equal((await shop.get(`/api/entitlements/${id}.json`)).body.entitlement.first_used_at !== null, true)
  })

  test('ends with the entitlement, after 30 days at the latest, and after a year without protection', async () => {
    const rented = await aSale({ expire_after_first_use: 48 })
    assert.equal(daysAhead((await licenseIn(rented.shop, rented.id)).license), 2)
    const long = await aSale({ expire_after_acquisition: 6, expire_after_acquisition_mode: 2 })
    assert.equal(daysAhead((await licenseIn(long.shop, long.id)).license), 30)
    const open = await aSale({ drm: 0 })
    const { license } = await licenseIn(open.shop, open.id, '')
    assert.equal(daysAhead(license), 365)
    assert.deepEqual([license.device, license.license.actions.export], [null, true])
  })

  test('makes its device hold the content until it ends', async () => {
    const { shop, id } = await aSale({ total_concurrent_devices: 1 })
    await issue(shop, id)
    const use = { use: { action: 'play', device: 'phone' } }
    service.clock.advance(3600)
    let later = await shop.asUser(shop.userId)
    assert.equal((await later.post(`/api/entitlements/${id}/use.json`, use)).body.decision.code, 'device_limit')
    const refused = await issue(later, id, '?device=phone')
    assert.equal(refused.license_file, null)
    assert.equal((await issue(later, id)).license_file !== null, true)
    service.clock.advance(30 * DAY)
    later = await shop.asUser(shop.userId)
    assert.equal((await later.post(`/api/entitlements/${id}/use.json`, use)).body.decision.allowed, true)
  })

  // Otherwise one device after another would get a file that stays valid.
  test('keeps the place of its device until it ends, also if the device gives the content back or is removed', async () => {
    const { shop, customer, id } = await aSale({ total_concurrent_devices: 1 })
    await issue(shop, id)
    const release = await shop.post(`/api/entitlements/${id}/release.json`, { release: { device: 'tv' } })
    assert.equal(release.status, 200)
    assert.equal((await issue(shop, id, '?device=phone')).decision.code, 'device_limit')
    const path = `/api/customers/${customer.token}/devices`
    const [device] = (await shop.get(`${path}.json`)).body.devices
    assert.equal((await shop.delete(`${path}/${device.id}.json`)).status, 200)
    assert.equal((await issue(shop, id, '?device=phone')).decision.code, 'device_limit')
    assert.equal((await issue(shop, id)).decision.allowed, true)
  })

  test('is refused as playing is, with the same code and sentence, and counts nothing then', async () => {
    const { shop, id } = await aSale({ allow_play: 0 })
    const { body } = await shop.post(`/api/entitlements/${id}/check.json`, { check: { action: 'play', device: 'tv' } })
    assert.deepEqual(await issue(shop, id), { license_file: null, decision: body.decision })
    assert.deepEqual([body.decision.allowed, body.decision.code], [false, 'play_not_allowed'])
    assert.equal((await shop.get(`/api/entitlements/${id}.json`)).body.entitlement.first_used_at, null)
    const limited = await aSale({ total_concurrent_devices: 1 })
    assert.equal((await issue(limited.shop, limited.id, '')).decision.code, 'device_required')
    assert.equal((await limited.shop.post(`/api/entitlements/${limited.id}/revoke.json`)).status, 200)
    assert.equal((await issue(limited.shop, limited.id)).decision.code, 'withdrawn')
  })

  test('of a clock that was set back is refused', async () => {
    const { shop, id } = await aSale({ disable_on_clock_rollback: 1 })
    const past = new Date(service.clock.now().getTime() - 3_600_000).toISOString()
    assert.equal((await issue(shop, id, `?device=tv&client_time=${past}`)).decision.code, 'clock_set_back')
  })

  test('of another company is not found, and a HEAD request issues none', async () => {
    const { shop, id } = await aSale()
    const stranger = await service.openShop()
    assert.equal((await stranger.get(`/api/entitlements/${id}/file.json?device=tv`)).status, 404)
    const path = `/api/entitlements/${id}/file.json?device=tv`
    const head = await fetch(`${service.url}${path}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${shop.token}` },
    })
    assert.equal(head.status, 405)
    assert.equal((await (await shop.withScopes('products')).get(path)).status, 403)
    assert.equal((await shop.get(`/api/entitlements/${id}.json`)).body.entitlement.first_used_at, null)
  })

  test('does not verify when it was altered, or on another device', async () => {
    const { shop, id } = await aSale()
    const { license_file } = await issue(shop, id)
    const [head, body, signature] = license_file.jws.split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + DAY })).toString('base64url')
    assert.partialDeepStrictEqual(await verify(`${head}.${forged}.${signature}`), { reason: 'altered' })
    assert.partialDeepStrictEqual(await verify(license_file.jws, { device: 'phone' }), { reason: 'wrong_device' })
  })
})

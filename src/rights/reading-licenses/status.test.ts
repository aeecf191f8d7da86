import assert from 'node:assert/strict'
import { createVerify, X509Certificate } from 'node:crypto'
import { describe, test } from 'node:test'
import { useService } from '#test/harness.ts'
import { aReadingApp, fetchBytes, fetchJson } from '#test/reading-app.ts'
import { aProtectedBook, aReadingLicense, licensesOf } from '#test/reading-licenses.ts'
import { canonicalJson } from './provider/signature.secrets.ts'

const service = useService()
const DAY = 86_400
const app = aReadingApp('device one', 'Reader')
const THIRTY_DAYS = { expire_after_acquisition: 30, expire_after_acquisition_mode: 1 }

async function aLicensedBook(terms: object = {}) {
  const book = await aProtectedBook(service, { terms })
  const license = await aReadingLicense(service, book.shop, book.id)
  const status = async () => (await fetchJson(license.status_url)).body
  return { ...book, license, status }
}

const rels = ({ links }: { links: { rel: string }[] }) => links.map(({ rel }) => rel)
const isoDay = (date: Date) => date.toISOString().slice(0, 19)
const typeOf = (name: string) => `http://readium.org/license-status-document/error/${name}`

/** Signed documents are checked with the certificate inside, as the public library of EDRLab does. */
function isSignedRight({ signature, ...document }: { signature: { certificate: string; value: string } }): boolean {
  const { publicKey } = new X509Certificate(Buffer.from(signature.certificate, 'base64'))
  return createVerify('sha256')
    .update(canonicalJson(document as never))
    .verify(publicKey, signature.value, 'base64')
}

describe('the status of a license', () => {
  test('is ready, and active once a reading app has opened it', async () => {
    const { status, license } = await aLicensedBook()
    const before = await status()
    assert.deepEqual(
      [before.status, before.id, rels(before)],
      ['ready', license.license_url.split('/').at(-2), ['license', 'register']],
    )
    const after = await app.register(before)
    assert.equal(after.Status, 'active')
    assert.deepEqual(
      (await status()).events.map(({ type, id }: { type: string; id: string }) => [type, id]),
      [['register', 'device one']],
    )
  })

  test('is renewed as far as the purchase reaches, and no further', async () => {
    const { status, shop, id, license } = await aLicensedBook(THIRTY_DAYS)
    assert.equal(rels(await status()).includes('renew'), false)
    service.clock.advance(60)
    const before = (await fetchJson(license.license_url)).body
    const end = new Date(Date.parse(before.rights.end) + 20 * DAY * 1000)
    const extended = await shop.post(`/api/entitlements/${id}/extensions.json`, {
      extension: { ends_at: isoDay(end), reason: 'The train had no network.' },
    })
    assert.equal(extended.status, 200, extended.text)
    const open = await status()
    assert.equal(open.potential_rights.end, `${isoDay(end)}Z`)
    const wrong = [new Date(end.getTime() + 1000), new Date('9999-12-31'), new Date(0), new Date(before.rights.end)]
    for (const each of wrong)
      assert.equal(
        (await app.renew(open, each).catch((problem) => problem)).type,
        typeOf('renew/date'),
        each.toISOString(),
      )
    for (const each of ['x', '2026-13-01T00:00:00Z', '%00', '1'.repeat(40)])
      assert.equal(
        (await fetchJson(`${license.license_url.replace('license.lcpl', 'renew')}?id=a&name=b&end=${each}`, 'PUT')).body
          .type,
        typeOf('renew/date'),
        each,
      )
    const middle = new Date(Date.parse(before.rights.end) + DAY * 1000)
    // Of two at once, one moves the end, and the other finds it moved.
    const both = await Promise.allSettled([app.renew(open, middle), app.renew(open, middle)])
    assert.deepEqual(both.map((each) => each.status).sort(), ['fulfilled', 'rejected'])
    assert.equal((await fetchJson(license.license_url)).body.rights.end, `${isoDay(middle)}Z`)
    await app.renew(await status())
    const after = (await fetchJson(license.license_url)).body
    assert.equal(after.rights.end, `${isoDay(end)}Z`)
    assert.ok(after.updated)
    assert.ok(isSignedRight(after))
    assert.partialDeepStrictEqual(await licensesOf(shop, id), [{ renewals: 2, devices: [] }])
    assert.equal((await app.renew(open).catch((problem) => problem)).type, typeOf('renew'))
  })

  test('is returned once, which frees its devices, and a new license counts again', async () => {
    const { status, shop, id, license } = await aLicensedBook({
      ...THIRTY_DAYS,
      total_concurrent_devices: 1,
      annual_concurrent_devices: -1,
    })
    await app.register(await status())
    const open = await status()
    assert.ok(rels(open).includes('return'))
    const both = await Promise.allSettled([app.return(open), app.return(open)])
    assert.deepEqual(both.map((each) => each.status).sort(), ['fulfilled', 'rejected'])
    assert.equal((await status()).status, 'returned')
    assert.equal((await app.return(open).catch((problem) => problem)).type, typeOf('return/already'))
    assert.equal(
      (
        await app
          .renew({
            ...open,
            links: [
              ...open.links,
              {
                rel: 'renew',
                href: `${license.license_url.replace('license.lcpl', 'renew')}{?end,id,name}`,
                templated: true,
              },
            ],
          })
          .catch((problem) => problem)
      ).type,
      typeOf('return/already'),
    )
    for (const url of [license.license_url, license.download_url]) assert.equal((await fetchBytes(url)).status, 403)
    const again = await aReadingLicense(service, shop, id)
    assert.notEqual(again.id, license.id)
    assert.equal((await shop.get(`/api/entitlements/${id}.json`)).body.entitlement.remaining.downloads, 0)
    // The place of the device that was returned is free for another one.
    const other = (await fetchJson(again.status_url)).body
    assert.equal((await aReadingApp('device two', 'Two').register(other)).Status, 'active')
    assert.deepEqual(
      (await licensesOf(shop, id)).map((each) => each.status),
      ['returned', 'active'],
    )
  })

  test('of what was bought for good cannot be returned or renewed', async () => {
    const { status, license } = await aLicensedBook()
    assert.deepEqual(rels(await status()), ['license', 'register'])
    const act = (name: string) => fetchJson(`${license.license_url.replace('license.lcpl', name)}?id=a&name=b`, 'PUT')
    assert.deepEqual(
      [(await act('return')).body.type, (await act('renew')).body.type],
      [typeOf('return'), typeOf('renew')],
    )
  })

  test('says what the rights engine says, whatever was given out before', async () => {
    const { status, shop, id, license } = await aLicensedBook()
    await app.register(await status())
    const fresh = await aLicensedBook()
    for (const [each, expected] of [
      [{ shop, id, license }, 'revoked'],
      [fresh, 'cancelled'],
    ] as const) {
      assert.equal((await each.shop.post(`/api/entitlements/${each.id}/revoke.json`)).status, 200)
      const revoked = (await fetchJson(each.license.status_url)).body
      assert.deepEqual([revoked.status, rels(revoked)], [expected, ['license']])
      for (const url of [
        each.license.license_url,
        each.license.download_url,
        each.license.license_url.replace('license.lcpl', 'publication'),
      ])
        assert.equal((await fetchBytes(url)).status, 403, url)
    }
    const late = await aReadingApp('device two', 'Two')
      .register({
        ...(await status()),
        status: 'active',
        links: [
          {
            rel: 'register',
            href: `${license.license_url.replace('license.lcpl', 'register')}{?id,name}`,
            templated: true,
          },
        ],
      })
      .catch((problem) => problem)
    assert.equal(late.type, typeOf('registration'))
    await shop.post(`/api/entitlements/${id}/restore.json`)
    assert.equal((await status()).status, 'active')
  })

  test('says that it is revoked after a refund, and after the clock of a player was set back', async () => {
    const refunded = await aLicensedBook()
    const { content } = (await refunded.shop.get(`/api/customers/${refunded.customer.token}/content.json`)).body
    const refund = await refunded.shop.post(`/api/orders/${content[0].order_id}/refunds.json`, {
      refund: { all: true },
    })
    assert.equal(refund.status, 201, refund.text)
    assert.equal((await refunded.status()).status, 'cancelled')
    const { shop, id, status } = await aLicensedBook({ delete_on_clock_rollback: 1 })
    const client_time = isoDay(new Date(service.clock.now().getTime() - DAY * 1000))
    const used = await shop.post(`/api/entitlements/${id}/use.json`, {
      use: { action: 'play', device: 'tv', client_time },
    })
    assert.equal(used.body.decision.code, 'ended_by_clock')
    assert.equal((await status()).status, 'cancelled')
  })

  test('expires with the purchase, and can no longer be returned then', async () => {
    const { status } = await aLicensedBook(THIRTY_DAYS)
    const open = await status()
    service.clock.advance(30 * DAY)
    assert.equal((await status()).status, 'expired')
    assert.equal((await app.return(open).catch((problem) => problem)).type, typeOf('return/expired'))
  })
})

describe('a license', () => {
  test('is signed, and an edited one is noticed', async () => {
    const { license } = await aLicensedBook({ export_pdf_print: 1, burn_play: 3 })
    const { body } = await fetchJson(license.license_url)
    assert.ok(isSignedRight(body))
    for (const edited of [
      { ...body, rights: { ...body.rights, print: 1000 } },
      { ...body, id: '00000000-0000-4000-8000-000000000000' },
      { ...body, links: [] },
      { ...body, user: { id: 'somebody' } },
    ])
      assert.equal(isSignedRight(edited), false)
  })

  test('of somebody else is not found by its number, nor by the paths of a stranger', async () => {
    const mine = await aLicensedBook()
    const stranger = await aLicensedBook()
    const player = await mine.shop.asCustomer(mine.customer.id)
    const other = await aProtectedBook(service, { shop: mine.shop })
    for (const path of [
      `/api/entitlements/${stranger.id}/reading_licenses.json`,
      `/api/entitlements/${other.id}/reading_licenses.json`,
      `/api/customers/${other.customer.token}/reading_passphrase.json`,
    ])
      assert.equal((await player.get(path)).status, 404, path)
    assert.equal(
      (await player.post(`/api/entitlements/${other.id}/reading_license.json`, { reading_license: {} })).status,
      404,
    )
    const [uid = ''] = /[0-9a-f-]{36}/.exec(mine.license.license_url) ?? []
    const near = uid.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    for (const company of [stranger.shop.companyId, 0, -1, 'x', '1e3', `${mine.shop.companyId}%00`])
      assert.ok(
        [400, 404].includes((await fetchBytes(`${service.url}/lcp/${company}/${uid}/status`)).status),
        String(company),
      )
    for (const id of [near, '..%2f..%2fsecret', `${uid}%00`, '%2e%2e', 'x'.repeat(41), '1', `${uid}'--`])
      for (const name of ['license.lcpl', 'publication', 'download', 'status']) {
        const { status } = await fetchBytes(`${service.url}/lcp/${mine.shop.companyId}/${id}/${name}`)
        assert.ok([400, 404, 414, 422].includes(status), `${id} ${name} ${status}`)
      }
  })

  test('needs a device that says who it is', async () => {
    const { license, status } = await aLicensedBook()
    const register = license.license_url.replace('license.lcpl', 'register')
    for (const query of [
      '',
      '?id=a',
      '?name=b',
      '?id=&name=b',
      '?id=%20&name=b',
      '?id=a%00&name=b',
      '?id=a&name=%0a',
      `?id=${'x'.repeat(256)}&name=b`,
      '?id=a&id=b&name=c',
    ]) {
      const answer = await fetchJson(`${register}${query}`, 'POST')
      assert.ok(answer.status >= 400 && answer.status < 500, `${query} ${answer.status}`)
      assert.equal(answer.type, 'application/problem+json')
    }
    assert.equal((await status()).events.length, 0)
    assert.equal(
      (await fetchJson(`${register}?id=${'x'.repeat(255)}&name=${encodeURIComponent('Ä🐟')}`, 'POST')).status,
      200,
    )
  })

  test('is deleted with what the company knows of its customer', async () => {
    const { license, shop, customer } = await aLicensedBook()
    assert.equal((await shop.delete(`/api/customers/${customer.token}.json`)).status, 200)
    assert.equal((await fetchBytes(license.license_url)).status, 404)
    const left = await service.db
      .selectFrom('reading_passphrases')
      .select('customer_id')
      .where('company_id', '=', shop.companyId)
      .execute()
    assert.deepEqual(left, [])
  })
})

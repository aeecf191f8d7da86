import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { SignJWT } from 'jose'
import { readConfig } from '#platform/settings/config.ts'
import { runChecks } from '#program/command-line/doctor.ts'
import { useLicenseServer } from '#test/drm-proxy.ts'
import { useService } from '#test/harness.ts'
import { aFilm } from '#test/media.ts'
import { refund } from '#test/sales.ts'
import { beside, decrypt, streaming } from '#test/streaming.ts'
import type { Visitor } from '#test/visitor.ts'

const proxy = useLicenseServer()
const service = useService({ drmProxy: () => proxy.settings })
const { aSale, enter, play, listOf, fetchBytes } = streaming(service)

/** What a player sends that has a decryption module: bytes that are nobody's business. */
async function ask(visitor: Visitor, url: string, name = '0-0.widevine', body: Buffer = randomBytes(500)) {
  const response = await fetch(new URL(beside(url, name), service.url), {
    method: 'POST',
    headers: {
      cookie: [...visitor.cookies].map((pair) => pair.join('=')).join('; '),
      'content-type': 'application/octet-stream',
      'sec-fetch-site': 'same-origin',
    },
    body: new Uint8Array(body),
    redirect: 'manual',
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

async function aPlayback(terms: object = {}, film?: Buffer) {
  const sale = await aSale(terms, film)
  const visitor = await enter(sale)
  const { url } = await play(sale, visitor)
  return { sale, visitor, url }
}

describe('a license request of commercial DRM', () => {
  test('reaches the proxy as it is, with a signed statement of what the engine decided, and the license comes back', async () => {
    const terms = { play_prot_level_digital: 150, copp_cgms: 1, expire_after_first_use: 2 }
    const { sale, visitor, url } = await aPlayback(terms)
    const request = randomBytes(1000)
    const { status, text, headers } = await ask(visitor, url, '0-0.widevine', request)
    assert.equal(status, 200, text)
    assert.equal(headers.get('cache-control'), 'private, no-store')
    const { path, body, claims, keys } = proxy.forwarded.at(-1) ?? assert.fail('nothing was forwarded')
    assert.equal(path, '/licenses/widevine')
    assert.ok(body.equals(request))
    const { iss, aud, iat = 0, exp = 0, jti, keys: _sealed, key_ids, license, output, device, ...rest } = claims
    assert.equal(iss, service.url)
    assert.equal(aud, proxy.url)
    assert.equal(exp - iat, 60)
    assert.match(String(jti), /^[0-9a-f-]{36}$/)
    assert.match(String(device), /^\S{10,}$/)
    assert.deepEqual(key_ids, [...keys.keys()])
    assert.deepEqual(rest, {
      system: 'widevine',
      decision: 'allowed',
      company_id: sale.shop.companyId,
      entitlement_id: sale.owned.id,
      product_id: sale.owned.product.product_id,
      content_id: `${sale.shop.companyId}-${sale.owned.files[0].id}`,
      quality: 'sd',
    })
    const { starts_at, ends_at, persistent } = license as { starts_at: string; ends_at: string; persistent: boolean }
    assert.equal(persistent, false)
    assert.ok(Date.parse(ends_at) - Date.parse(starts_at) <= 2 * 3_600_000, 'it ends with the entitlement')
    assert.deepEqual(output, {
      copp_aps: 0,
      copp_cgms: 1,
      copp_hdcp: 0,
      copy_prot_level_analog: 0,
      copy_prot_level_digital: 0,
      play_prot_level_analog: 0,
      play_prot_level_digital: 150,
    })
    // The key of the license opens what is sent of these seconds.
    const [segment] = await listOf(visitor, url)
    assert.ok(segment)
    const [key] = Object.values<string>(JSON.parse(text))
    const { bytes } = await fetchBytes(visitor, beside(url, segment.uri))
    assert.equal(decrypt(bytes, Buffer.from(key ?? '', 'hex'), segment.iv).toString('latin1', 4, 8), 'moof')
  })

  test('says nothing of the customer', async () => {
    const { sale, visitor, url } = await aPlayback()
    await ask(visitor, url)
    const said = JSON.stringify(proxy.forwarded.at(-1)?.claims)
    for (const value of [sale.owned.customer.email, sale.owned.customer.token]) assert.ok(!said.includes(value), value)
  })

  test('goes to the path of its system, and to no other', async () => {
    const { visitor, url } = await aPlayback()
    for (const system of ['widevine', 'playready', 'fairplay']) {
      assert.equal((await ask(visitor, url, `0-0.${system}`)).status, 200)
      assert.equal(proxy.forwarded.at(-1)?.path, `/licenses/${system}`)
    }
    const before = proxy.forwarded.length
    for (const name of [
      '0-0.clearkey',
      '0-0.widevine%2f..%2fadmin',
      '0-v.widevine',
      '9-0.widevine',
      '0-0.key',
      'main.m3u8',
    ])
      assert.equal((await ask(visitor, url, name)).status, 404, name)
    assert.equal(proxy.forwarded.length, before)
  })
})

describe('the proxy hears nothing', () => {
  const unheard = async (work: () => Promise<void>) => {
    const before = proxy.forwarded.length
    await work()
    assert.equal(proxy.forwarded.length, before)
  }

  test('of what the rights engine refuses, which says why', async () => {
    const { sale, visitor, url } = await aPlayback()
    await refund(sale.shop, (await sale.shop.get('/api/orders.json')).body.orders[0].id)
    await unheard(async () => {
      const { status, text } = await ask(visitor, url)
      assert.equal(status, 403)
      assert.equal(JSON.parse(text).code, 'refunded')
    })
  })

  test('of requests faster than anybody watches', async () => {
    const { visitor, url } = await aPlayback({}, await aFilm({ version: 'sd' }))
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, period) => ask(visitor, url, `0-${period}.widevine`)),
    )
    assert.ok(answers.filter(({ status }) => status === 200).length <= 13)
    assert.ok(answers.some(({ status, headers }) => status === 429 && headers.get('retry-after') === '4'))
  })

  test('of other sessions, of nobody, and of requests that are too large', async () => {
    const { sale, visitor, url } = await aPlayback()
    await unheard(async () => {
      assert.equal((await ask(await enter(sale), url)).status, 404)
      assert.equal((await fetch(new URL(beside(url, '0-0.widevine'), service.url), { method: 'POST' })).status, 403)
      assert.equal((await ask(visitor, url, '0-0.widevine', Buffer.alloc(70_000))).status, 413)
    })
  })
})

describe('a proxy', () => {
  test('that declines or cannot be reached leaves the player with a reason', async () => {
    const { visitor, url } = await aPlayback()
    for (const [answers, status, code] of [
      ['refusals', 403, 'drm_declined'],
      ['errors', 502, 'drm_unreachable'],
      ['too much', 502, 'drm_unreachable'],
      ['nothing', 502, 'drm_unreachable'],
    ] as const) {
      proxy.answers = answers
      const answer = await ask(visitor, url)
      assert.equal(answer.status, status, answers)
      const stop = JSON.parse(answer.text)
      assert.equal(stop.code, code)
      assert.ok(stop.reason.length > 10)
    }
    proxy.answers = 'licenses'
    assert.equal((await ask(visitor, url)).status, 200)
  })

  test('is looked for by the doctor, and has to refuse what has no statement', async () => {
    const said = async (url: string) => {
      const env = { LICET_DATA: '/nowhere', DATABASE_URL: 'postgres://127.0.0.1:9/none' }
      const drm = { LICET_DRM_PROXY_URL: url, LICET_DRM_PROXY_SECRET: proxy.settings.secret }
      const findings = await runChecks(readConfig({ ...env, ...drm }))
      return findings.find(({ what }) => what === 'Commercial DRM')
    }
    const found = await said(`${proxy.url}/`)
    assert.deepEqual([found?.ok, found?.detail], [true, `${proxy.url} is there (it answers 403)`])
    assert.equal((await said('http://127.0.0.1:9'))?.ok, false)
    assert.throws(() => readConfig({ LICET_DRM_PROXY_URL: proxy.url }), /must be set together/)
  })

  test('of the test refuses statements of other secrets, for others, and a second time', async () => {
    const { visitor, url } = await aPlayback()
    await ask(visitor, url)
    const claims = proxy.forwarded.at(-1)?.claims ?? {}
    const sign = (secret: string, said: object) =>
      new SignJWT({ ...said })
        .setProtectedHeader({ alg: 'HS256', typ: 'drm-statement+jwt' })
        .sign(createSecretKey(Buffer.from(secret)))
    const post = async (statement: string) =>
      (await fetch(`${proxy.url}/widevine`, { method: 'POST', headers: { authorization: `Bearer ${statement}` } }))
        .status
    const { secret } = proxy.settings
    assert.equal(await post(await sign(secret, { ...claims, jti: 'new' })), 200)
    assert.equal(await post(await sign(secret, { ...claims, jti: 'new' })), 403, 'again')
    assert.equal(await post(await sign('another secret that is long enough', { ...claims, jti: 'a' })), 403, 'forged')
    assert.equal(
      await post(await sign(secret, { ...claims, jti: 'b', aud: 'https://other.example' })),
      403,
      'for others',
    )
    assert.equal(await post(await sign(secret, { ...claims, jti: 'c', exp: 1 })), 403, 'old')
  })
})

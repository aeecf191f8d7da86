import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BufferSource, Input, MP4 } from 'mediabunny'
import { useService } from '#test/harness.ts'
import { aFilm, demoTrack, openFilm, packetsOf } from '#test/media.ts'
import { refund } from '#test/sales.ts'
import { beside, type StreamSale, streaming } from '#test/streaming.ts'
import { sha256 } from '#test/uploads.ts'
import type { Visitor } from '#test/visitor.ts'

const service = useService()
const { aSale, enter, play, fetchBytes, listSamples, askKey, askLicense, reasonOf } = streaming(service)

/** Asks that nothing is copied from the outputs, which forbids nothing else. */
const ASKS = { copy_prot_level_digital: 100 }
const FOLD = { kids: [], type: 'temporary' }
const asking = (...kids: string[]) => ({ ...FOLD, kids })

async function playing(terms: object = ASKS, film?: Parameters<typeof aSale>[1], product: object = {}) {
  const sale = await aSale(terms, film, product)
  const visitor = await enter(sale)
  const { url, apart } = await play(sale, visitor)
  return { sale, visitor, url, apart }
}

/** The names of the keys of a version, in order. */
async function kidsOf(visitor: Visitor, url: string, version = 0): Promise<string[]> {
  const listed = await listSamples(visitor, url, `${version}-v`)
  return [...new Set(listed.map(({ kid }) => kid))]
}

describe('a film whose license asks for output protection', () => {
  test('is sent as encrypted samples, which the keys of its license open', async () => {
    const film = await aFilm()
    const { visitor, url, apart } = await playing(ASKS, film)
    const main = await fetchBytes(visitor, apart.url)
    assert.match(main.text, /URI="0-a0-cbcs\.m3u8"/)
    assert.match(main.text, /\n0-v-cbcs\.m3u8\n/)
    const frames: string[] = []
    const keys = new Map<string, string>()
    for (const { uri, init, kid } of await listSamples(visitor, url)) {
      if (!keys.has(kid)) {
        const { status, headers, body } = await askLicense(visitor, url, asking(kid))
        assert.equal(status, 200)
        assert.equal(headers.get('cache-control'), 'private, no-store')
        assert.equal(body.type, 'temporary')
        assert.deepEqual(Object.keys(body.keys[0]).sort(), ['k', 'kid', 'kty'])
        assert.deepEqual([body.keys[0].kty, body.keys[0].kid], ['oct', kid])
        keys.set(kid, body.keys[0].k)
      }
      const [beginning, segment] = [
        await fetchBytes(visitor, beside(url, init)),
        await fetchBytes(visitor, beside(url, uri)),
      ]
      assert.equal(segment.headers.get('cache-control'), 'private, no-store')
      const resolveKeyId = ({ keyId }: { keyId: string }) => {
        assert.equal(Buffer.from(keyId, 'hex').toString('base64url'), kid)
        return Buffer.from(keys.get(kid) ?? '', 'base64url')
      }
      const source = new BufferSource(Buffer.concat([beginning.bytes, segment.bytes]))
      const input = new Input({ source, formats: [MP4], formatOptions: { isobmff: { resolveKeyId } } })
      const track = await input.getPrimaryVideoTrack()
      assert.ok(track)
      frames.push(...(await packetsOf(track)).map(({ data }) => sha256(data)))
    }
    assert.equal(keys.size, 4, 'a key opens eight seconds')
    assert.equal(new Set(keys.values()).size, 4)
    const clear = await openFilm(film).getPrimaryVideoTrack()
    assert.ok(clear)
    assert.deepEqual(
      frames,
      (await packetsOf(clear)).map(({ data }) => sha256(data)),
    )
  })

  test('is one whose license names any protection of the outputs', async () => {
    const apartOf = async (terms: object, film?: Parameters<typeof aSale>[1], product: object = {}) => {
      const { apart } = await playing(terms, film, product)
      return apart !== null
    }
    assert.equal(await apartOf({}), false)
    const small = await aFilm({ version: 'sd' })
    for (const terms of [
      { copp_aps: 1 },
      { copp_cgms: 1 },
      { copp_hdcp: 1 },
      { copy_prot_level_analog: 100 },
      { copy_prot_level_digital: 100 },
      { play_prot_level_analog: 100 },
      { play_prot_level_digital: 100 },
    ])
      assert.equal(await apartOf(terms, small), true, JSON.stringify(terms))
    const track = [{ bytes: await demoTrack(), name: 'track.mp3' }]
    assert.equal(await apartOf(ASKS, track, { product_type: 5 }), false, 'MP3 has no such samples')
  })

  test('has keys of its own for each version, and for each way in which it is sent', async () => {
    const files = [
      { bytes: await aFilm(), name: 'film.mp4', role: 'main_hd' },
      { bytes: await aFilm({ version: 'sd' }), name: 'film.mp4', role: 'main_sd' },
    ]
    const { sale, visitor, url } = await playing(ASKS, files, { product_type: 9 })
    const [hd = '', nextHd = ''] = await kidsOf(visitor, url, 0)
    const [sd = ''] = await kidsOf(visitor, url, 1)
    const { body } = await askLicense(visitor, url, asking(hd, sd))
    const plain = (await askKey(visitor, url)).bytes.toString('base64url')
    assert.equal(new Set([...body.keys.map(({ k }: { k: string }) => k), plain]).size, 3)
    await service.db
      .updateTable('entitlements')
      .set({ hd: false })
      .where('company_id', '=', sale.shop.companyId)
      .where('id', '=', sale.owned.id)
      .execute()
    const refused = await askLicense(visitor, url, asking(nextHd))
    assert.deepEqual([refused.status, refused.body.code], [403, 'hd_refused'])
    assert.equal((await askLicense(visitor, url, asking(sd))).status, 200)
  })
})

describe('a license is refused with a reason', () => {
  const refusedFor = async (visitor: Visitor, url: string, kid: string, headers: Record<string, string> = {}) => {
    const { status, body } = await askLicense(visitor, url, asking(kid), headers)
    assert.equal(status, 403)
    assert.ok(body.reason.length > 10)
    return body.code
  }

  test('after a refund', async () => {
    const { sale, visitor, url } = await playing()
    const [first = '', second = ''] = await kidsOf(visitor, url)
    assert.equal((await askLicense(visitor, url, asking(first))).status, 200)
    await refund(sale.shop, (await sale.shop.get('/api/orders.json')).body.orders[0].id)
    assert.equal(await refusedFor(visitor, url, second), 'refunded')
    assert.equal(await refusedFor(visitor, url, first), 'refunded', 'one that was given before')
  })

  test('when it was taken back, has expired, or the clock was set back', async () => {
    const taken = await playing()
    const [kid = ''] = await kidsOf(taken.visitor, taken.url)
    await taken.sale.shop.post(`/api/entitlements/${taken.sale.owned.id}/revoke.json`)
    assert.equal(await refusedFor(taken.visitor, taken.url, kid), 'withdrawn')
    const turned = await playing({ ...ASKS, disable_on_clock_rollback: 1 })
    const [other = ''] = await kidsOf(turned.visitor, turned.url)
    const early = new Date(service.clock.now().getTime() - 3_600_000).toISOString()
    assert.equal(await refusedFor(turned.visitor, turned.url, other, { 'x-client-time': early }), 'clock_set_back')
    const rented = await playing({ ...ASKS, expire_after_first_use: 2, expire_after_first_use_mode: 0 })
    const [last = ''] = await kidsOf(rented.visitor, rented.url)
    service.clock.advance(7201)
    assert.equal(await refusedFor(rented.visitor, rented.url, last), 'expired')
  })

  test('on a third device, and in the older of two windows', async () => {
    const { sale, visitor, url } = await playing({ ...ASKS, total_concurrent_devices: 1 })
    const [kid = ''] = await kidsOf(visitor, url)
    assert.equal((await play(sale, await enter(sale))).status, 403)
    service.clock.advance(61)
    assert.equal((await play(sale, await enter(sale))).status, 200)
    assert.equal(await refusedFor(visitor, url, kid), 'device_limit')
    const alone = await playing({ ...ASKS, total_concurrent_devices: 1 })
    const [own = ''] = await kidsOf(alone.visitor, alone.url)
    await play(alone.sale, alone.visitor)
    assert.equal(await refusedFor(alone.visitor, alone.url, own), 'played_elsewhere')
  })

  test('after the page was left, also where a heartbeat is sent again', async () => {
    const { sale, visitor, url } = await playing()
    const [kid = ''] = await kidsOf(visitor, url)
    const playback = url.split('/').at(-2) ?? ''
    const place = `${sale.base}/my-content/${sale.owned.id}`
    const beat = { playback, client_time: service.clock.now().toISOString() }
    assert.equal((await visitor.post(`${place}/heartbeat`, beat)).status, 204)
    await visitor.post(`${place}/leave`, { playback })
    assert.equal((await visitor.post(`${place}/heartbeat`, beat)).status, 403)
    assert.equal(await refusedFor(visitor, url, kid), 'over')
    assert.equal(await reasonOf(visitor, url), 'over')
  })

  test('where all keys are asked for at once, however many are in a request', async () => {
    const { visitor, url } = await playing(ASKS, await aFilm({ times: 6, version: 'sd' }))
    const kids = await kidsOf(visitor, url)
    assert.ok(kids.length > 18)
    const fours = kids.flatMap((_, at) => (at % 4 === 0 ? [kids.slice(at, at + 4)] : []))
    const answers = await Promise.all(fours.map((each) => askLicense(visitor, url, asking(...each))))
    const given = answers.flatMap(({ status, body }) => (status === 200 ? body.keys : []))
    assert.ok(given.length <= 13, `${given.length} keys at once`)
    const refused = answers.find(({ status }) => status === 429)
    assert.equal(refused?.headers.get('retry-after'), '4')
    assert.equal((await askKey(visitor, url)).status, 429, 'the other way gives no more')
  })
})

describe('a license request', () => {
  const statusesOf = (sale: StreamSale, url: string, kid: string) =>
    Promise.all([enter(sale)].map(async (other) => (await askLicense(await other, url, asking(kid))).status))

  test('of another session, customer or company gets nothing', async () => {
    const { sale, visitor, url } = await playing()
    const [kid = ''] = await kidsOf(visitor, url)
    assert.deepEqual(await statusesOf(sale, url, kid), [404])
    const other = await playing()
    assert.equal((await askLicense(other.visitor, url, asking(kid))).status, 403)
    assert.equal((await askLicense(other.visitor, url.replace(sale.base, other.sale.base), asking(kid))).status, 404)
    assert.equal((await askLicense(other.visitor, other.url, asking(kid))).status, 404, "another's key by one's own")
    const nobody = await fetch(new URL(beside(url, 'license'), service.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify(asking(kid)),
    })
    assert.equal(nobody.status, 403)
  })

  test('with a key of an earlier playback gets nothing, and its key opens nothing of the next one', async () => {
    const { sale, visitor, url } = await playing()
    const [old = ''] = await kidsOf(visitor, url)
    const before = (await askLicense(visitor, url, asking(old))).body.keys[0].k
    const again = await play(sale, visitor)
    assert.equal((await askLicense(visitor, again.url, asking(old))).status, 404)
    const [kid = ''] = await kidsOf(visitor, again.url)
    assert.notEqual(kid, old)
    assert.notEqual((await askLicense(visitor, again.url, asking(kid))).body.keys[0].k, before)
  })

  test('that makes no sense is refused, and gives out nothing', async () => {
    const { visitor, url } = await playing()
    const [kid = ''] = await kidsOf(visitor, url)
    const none = Buffer.alloc(16).toString('base64url')
    for (const request of [
      {},
      { kids: kid },
      asking(),
      asking('../../main.m3u8'),
      asking(`${kid}\n`),
      asking(kid.slice(1)),
      asking(...Array.from({ length: 5 }, () => kid)),
      { kids: [kid], type: 'persistent-license' },
    ]) {
      const { status, text } = await askLicense(visitor, url, request)
      assert.ok(status >= 400 && status < 500, `${JSON.stringify(request)}: ${status}`)
      assert.ok(!text.includes('"k"'))
    }
    assert.equal((await askLicense(visitor, url, asking(none))).status, 404)
    assert.equal((await askLicense(visitor, url, asking(kid), { 'sec-fetch-site': 'cross-site' })).status, 403)
  })

  test('has no tricks in the addresses of what it opens', async () => {
    const { visitor, url } = await playing()
    const [segment] = await listSamples(visitor, url)
    assert.equal((await fetchBytes(visitor, beside(url, segment?.uri ?? ''))).status, 200)
    for (const name of [
      '..%2f..%2fmain-cbcs.m3u8',
      '0-v-cbcs-999999.m4s',
      '9-v-cbcs.m3u8',
      '0-a9-cbcs.m3u8',
      '0-v-cbcs-0.m4s%00',
      '0-v-cbcs-cbcs.m3u8',
      '0-v-cbcs-1e3-init.mp4',
      '0-v-cbcs--1-init.mp4',
      'main-cbcs-cbcs.m3u8',
      'license',
    ])
      assert.equal((await fetchBytes(visitor, beside(url, name))).status, 404, name)
  })
})

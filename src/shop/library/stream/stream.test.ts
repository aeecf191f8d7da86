import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { createVault } from '#platform/identity/vault.ts'
import { takeContentKey } from '#rights/content-keys/commands.ts'
import { useService } from '#test/harness.ts'
import { aFilm, openFilm, packetsOf } from '#test/media.ts'
import { ownedContent } from '#test/owned-content.ts'
import { refund } from '#test/sales.ts'
import { baseOf } from '#test/shop-pages.ts'
import { beside, decrypt, STREAM_TERMS, streaming } from '#test/streaming.ts'
import type { Visitor } from '#test/visitor.ts'

const service = useService()
const { aSale, enter, play, fetchBytes, listOf, askKey, reasonOf } = streaming(service)

/** The pictures of a film, without what is around them. */
async function picturesOf(bytes: Buffer): Promise<Buffer> {
  const track = await openFilm(bytes).getPrimaryVideoTrack()
  assert.ok(track)
  return Buffer.concat((await packetsOf(track)).map(({ data }) => data))
}

/** The pictures of a film after its keys were used. */
async function decrypted(visitor: Visitor, url: string, track: string, keyBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [(await fetchBytes(visitor, beside(url, '0-v-init.mp4'))).bytes]
  const keys = new Map<string, Buffer>()
  for (const { uri, key, iv } of await listOf(visitor, url, track)) {
    const known = keys.get(key) ?? (await askKey(visitor, url, key)).bytes
    keys.set(key, known)
    assert.equal(known.length, keyBytes)
    const { bytes, headers } = await fetchBytes(visitor, beside(url, uri))
    assert.equal(headers.get('content-length'), String(bytes.length))
    assert.equal(headers.get('cache-control'), 'private, no-store')
    assert.ok(!bytes.includes('moof'), 'it is not encrypted')
    pieces.push(decrypt(bytes, known, iv))
  }
  assert.equal(keys.size, 4, 'a key opens eight seconds')
  return picturesOf(Buffer.concat(pieces))
}

describe('a protected film', () => {
  test('is played from encrypted segments, and no address leads to its file', async () => {
    const film = await aFilm({ languages: ['eng', 'deu'] })
    const sale = await aSale({}, film)
    const visitor = await enter(sale)
    const { kind, url } = await play(sale, visitor)
    assert.equal(kind, 'stream')
    const main = await fetchBytes(visitor, url)
    assert.match(main.text, /#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound-0",NAME="German",LANGUAGE="de",DEFAULT=NO/)
    assert.match(main.text, /CODECS="avc1\.4d4032,mp4a\.40\.2",RESOLUTION=1280x720,AUDIO="sound-0"\n0-v\.m3u8/)
    assert.ok((await decrypted(visitor, url, '0-v', 16)).equals(await picturesOf(film)))
  })

  test('is sent in counter mode to browsers that have cryptography of their own', async () => {
    const film = await aFilm()
    const sale = await aSale({}, film)
    const visitor = await enter(sale)
    const { url, counter } = await play(sale, visitor)
    assert.match((await fetchBytes(visitor, counter.url)).text, /URI="0-a0-ctr\.m3u8"[\s\S]*\n0-v-ctr\.m3u8/)
    assert.ok((await decrypted(visitor, url, '0-v-ctr', 32)).equals(await picturesOf(film)))
    for (const address of counter.first) assert.equal((await fetchBytes(visitor, address)).status, 200, address)
    const firsts = await Promise.all(['0-v-ctr', '0-a0-ctr'].map((track) => listOf(visitor, url, track)))
    const counters = firsts.flat().map(({ iv }) => iv)
    assert.equal(new Set(counters.map((iv) => iv.toString('hex', 0, 8))).size, counters.length, 'counters meet')
    assert.ok(
      counters.every((iv) => iv.readBigUInt64BE(8) === 0n),
      'a counter overflows where players count in 64 bits',
    )
  })

  test('has keys that open nothing of another playback', async () => {
    const sale = await aSale()
    const visitor = await enter(sale)
    const first = await play(sale, visitor)
    const old = (await askKey(visitor, first.url)).bytes
    const { url } = await play(sale, await enter(sale))
    void url
    const again = await play(sale, visitor)
    const [segment] = await listOf(visitor, again.url)
    assert.ok(segment)
    const { bytes } = await fetchBytes(visitor, beside(again.url, segment.uri))
    const isOpened = (key: Buffer) => {
      try {
        return decrypt(bytes, key, segment.iv).toString('latin1', 4, 8) === 'moof'
      } catch {
        return false
      }
    }
    assert.ok(isOpened((await askKey(visitor, again.url)).bytes))
    assert.ok(!isOpened(old), 'an old key')
    const other = await aSale()
    const stranger = await enter(other)
    assert.ok(!isOpened((await askKey(stranger, (await play(other, stranger)).url)).bytes), "another's key")
  })

  test('is as good as before after the secret of the installation was lost, without packing it again', async () => {
    const sale = await aSale()
    const row = await service.db
      .selectFrom('packed_files')
      .select('id')
      .where('company_id', '=', sale.shop.companyId)
      .executeTakeFirstOrThrow()
    const now = service.clock.now()
    const take = (vault: typeof service.vault) =>
      inTransaction(service.db, (tx) => takeContentKey(tx, vault, sale.shop.companyId, `packed/${row.id}`, now))
    const lost = createVault('another secret that is quite long enough')
    const before = await take(lost)
    assert.deepEqual(await take(lost), before)
    assert.notDeepEqual(await take(service.vault), before)
    const visitor = await enter(sale)
    const { url } = await play(sale, visitor)
    const [segment] = await listOf(visitor, url)
    assert.ok(segment)
    const { bytes } = await fetchBytes(visitor, beside(url, segment.uri))
    assert.equal(decrypt(bytes, (await askKey(visitor, url)).bytes, segment.iv).toString('latin1', 4, 8), 'moof')
  })
})

describe('a key is refused with a reason', () => {
  test('after a refund', async () => {
    const sale = await aSale()
    const visitor = await enter(sale)
    const { url } = await play(sale, visitor)
    assert.equal((await askKey(visitor, url)).status, 200)
    await refund(sale.shop, (await sale.shop.get('/api/orders.json')).body.orders[0].id)
    assert.equal(await reasonOf(visitor, url), 'refunded')
  })

  test('after the entitlement was taken back', async () => {
    const sale = await aSale()
    const visitor = await enter(sale)
    const { url } = await play(sale, visitor)
    await sale.shop.post(`/api/entitlements/${sale.owned.id}/revoke.json`)
    assert.equal(await reasonOf(visitor, url), 'withdrawn')
  })

  test('when the license has expired', async () => {
    const sale = await aSale({ expire_after_first_use: 2, expire_after_first_use_mode: 0 })
    const visitor = await enter(sale)
    const { url } = await play(sale, visitor)
    service.clock.advance(7201)
    assert.equal(await reasonOf(visitor, url), 'expired')
  })

  test('when the clock of the device was set back', async () => {
    const sale = await aSale({ disable_on_clock_rollback: 1 })
    const visitor = await enter(sale)
    const { url } = await play(sale, visitor)
    const early = new Date(service.clock.now().getTime() - 3_600_000).toISOString()
    assert.equal(await reasonOf(visitor, url, { 'x-client-time': early }), 'clock_set_back')
    assert.equal(await reasonOf(visitor, url), 'clock_set_back', 'leaving the time out helps nothing')
    const right = service.clock.now().toISOString()
    assert.equal((await askKey(visitor, url, '0-0.key', { 'x-client-time': right })).status, 200)
  })

  test('on a third device, until one of the others leaves or falls silent', async () => {
    const sale = await aSale({ total_concurrent_devices: 2 })
    const [first, second, third] = [await enter(sale), await enter(sale), await enter(sale)]
    const { url } = await play(sale, first)
    assert.equal((await play(sale, second)).status, 200)
    assert.equal((await play(sale, third)).status, 403)
    await second.post(`${sale.base}/my-content/${sale.owned.id}/leave`, {})
    assert.equal((await play(sale, third)).status, 200)
    assert.equal((await play(sale, second)).status, 403)
    service.clock.advance(61)
    assert.equal((await play(sale, second)).status, 200, 'the first has asked for no key')
    service.clock.advance(10)
    await play(sale, third)
    assert.equal(await reasonOf(first, url), 'device_limit')
  })

  test('where a browser copies the device id of another one', async () => {
    const sale = await aSale({ total_concurrent_devices: 1 })
    const visitor = await enter(sale)
    const { url } = await play(sale, visitor)
    // The same cookies in another browser are the same device and the same session.
    const copy = await play(sale, visitor)
    assert.equal(await reasonOf(visitor, url), 'played_elsewhere')
    assert.equal((await askKey(visitor, copy.url)).status, 200)
  })

  test('after the page was left, also where a heartbeat is sent again', async () => {
    const sale = await aSale({ total_concurrent_devices: 1 })
    const visitor = await enter(sale)
    const { url, playback } = await play(sale, visitor)
    const place = `${sale.base}/my-content/${sale.owned.id}`
    const beat = { playback, client_time: service.clock.now().toISOString() }
    assert.equal((await visitor.post(`${place}/heartbeat`, beat)).status, 204)
    await visitor.post(`${place}/leave`, {})
    assert.equal((await visitor.post(`${place}/heartbeat`, beat)).status, 403)
    assert.equal(await reasonOf(visitor, url), 'over')
    assert.equal((await play(sale, await enter(sale))).status, 200, 'the place is free')
  })

  test('where all keys are asked for at once', async () => {
    const sale = await aSale()
    const visitor = await enter(sale)
    const { url } = await play(sale, visitor)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, period) => askKey(visitor, url, `0-${period}.key`)),
    )
    const given = answers.filter(({ status }) => status === 200).length
    assert.ok(given <= 13, `${given} keys at once`)
    const refused = answers.find(({ status }) => status === 429)
    assert.equal(refused?.headers.get('retry-after'), '4')
    service.clock.advance(8)
    assert.equal((await askKey(visitor, url)).status, 200)
  })
})

describe('an address of a playback', () => {
  test('gives nothing to another session, customer or company', async () => {
    const sale = await aSale()
    const visitor = await enter(sale)
    const { url } = await play(sale, visitor)
    const [segment] = await listOf(visitor, url)
    const names = ['main.m3u8', '0-v.m3u8', '0-v-init.mp4', segment?.uri ?? '', '0-0.key']
    names.push('main-ctr.m3u8', '0-v-ctr.m3u8', '0-v-ctr-0.m4s', '0-0-ctr.key')
    const other = await aSale()
    const [again, stranger] = [await enter(sale), await enter(other)]
    for (const name of names) {
      assert.equal((await fetchBytes(again, beside(url, name))).status, 404, name)
      // A customer of another shop is signed in there alone.
      assert.equal((await fetchBytes(stranger, beside(url, name))).status, 403, name)
      assert.equal((await fetchBytes(stranger, beside(url, name).replace(sale.base, other.base))).status, 404, name)
      const nobody = await fetch(new URL(beside(url, name), service.url))
      assert.equal(nobody.status, 403, name)
    }
  })

  test('has no tricks in it', async () => {
    const sale = await aSale()
    const visitor = await enter(sale)
    const { url } = await play(sale, visitor)
    const names = [
      '..%2f..%2fmain.m3u8',
      '0-v-999999.m4s',
      '9-v.m3u8',
      '0-a9.m3u8',
      '0-v-0.m4s%00',
      '-1-0.key',
      '0-v-1e3.m4s',
      '0-__proto__.m3u8',
      '0-0-cbcs.key',
      'main-ctr-ctr.m3u8',
    ]
    for (const name of names) assert.equal((await fetchBytes(visitor, beside(url, name))).status, 404, name)
    const whole = await fetchBytes(visitor, beside(url, '0-v-0.m4s'))
    for (const range of ['bytes=0-99', 'bytes=-1', 'bytes=5-1', 'bytes=0-1,4-5', 'bytes=99999999-'])
      assert.ok((await fetchBytes(visitor, beside(url, '0-v-0.m4s'), { range })).bytes.equals(whole.bytes), range)
  })
})

describe('how something is played', () => {
  test('is decided by `drm`: a license without it has the file played', async () => {
    const sale = await aSale({ drm: 0 })
    assert.equal((await play(sale, await enter(sale))).kind, 'file')
  })

  test('is the file where the product is not protected', async () => {
    const sale = await aSale({}, undefined, { drm_protected: false })
    assert.equal((await play(sale, await enter(sale))).kind, 'file')
  })

  test('waits until the film is packed', async () => {
    const shop = await service.openShop()
    const files = [{ bytes: await aFilm(), name: 'film.mp4' }]
    const owned = await ownedContent(service, shop, { files, terms: STREAM_TERMS, product: { drm_protected: true } })
    const sale = { shop, base: await baseOf(shop), owned }
    const visitor = await enter(sale)
    assert.equal((await play(sale, visitor)).status, 403)
    assert.match((await visitor.get(`${sale.base}/my-content/${owned.id}/play`)).text, /being prepared for playback/)
  })

  test('is the file where it cannot be packed, if the license allows downloads', async () => {
    const unpackable = await aFilm({ withoutKeys: true })
    const open = await aSale({ total_downloads: -1, annual_downloads: -1 }, unpackable)
    assert.equal((await play(open, await enter(open))).kind, 'file')
    const closed = await aSale({ total_downloads: 0 }, unpackable)
    assert.equal((await play(closed, await enter(closed))).status, 403)
  })

  for (const terms of [{ play_prot_level_digital: 200 }, { copp_hdcp: 1 }])
    test(`leaves HD out where ${JSON.stringify(terms)} asks for HDCP, which no browser can promise`, async () => {
      const hd = await aSale(terms)
      assert.equal((await play(hd, await enter(hd))).status, 403)
      const sd = await aSale(terms, await aFilm({ version: 'sd' }))
      assert.equal((await play(sd, await enter(sd))).kind, 'stream')
      const off = await aSale({ ...terms, drm: 0 })
      assert.equal((await play(off, await enter(off))).kind, 'file')
    })

  const page = async (terms: object) => {
    const sale = await aSale(terms)
    return (await (await enter(sale)).get(`${sale.base}/my-content/${sale.owned.id}/play`)).text
  }

  for (const terms of [{ play_prot_level_digital: 150 }, { play_prot_level_analog: 100 }])
    test(`stays on this screen where ${JSON.stringify(terms)} says so`, async () => {
      assert.match(await page(terms), /<video [^>]*disableremoteplayback x-webkit-airplay="deny"/)
      assert.doesNotMatch(await page({ play_prot_level_digital: 100 }), /disableremoteplayback/)
    })

  for (const terms of [
    { copy_prot_level_analog: 200 },
    { copy_prot_level_digital: 200 },
    { copp_aps: 1 },
    { copp_cgms: 1 },
  ])
    test(`has no small window where ${JSON.stringify(terms)} says so`, async () => {
      assert.match(await page(terms), /<video [^>]*disablepictureinpicture/)
      assert.doesNotMatch(await page({ copy_prot_level_analog: 100 }), /disablepictureinpicture/)
    })
})

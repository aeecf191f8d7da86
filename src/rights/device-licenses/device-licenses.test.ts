import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decryptTrack } from '#client/device-licenses.ts'
import { read } from '#test/entitlements.ts'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { openFilm, packetsOf } from '#test/media.ts'
import { aDevice, anOwnedFilm, fetchTrack, offlineFilm, opened, refusal, taken } from '#test/offline-apps.ts'
import { sha256 } from '#test/uploads.ts'

const service = useService()
const DAY = 86_400

const streamOf = (bytes: Buffer, chunkBytes = 1000) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += chunkBytes)
        controller.enqueue(new Uint8Array(bytes.subarray(at, at + chunkBytes)))
      controller.close()
    },
  })

const bytesOf = async (stream: ReadableStream<Uint8Array>) => Buffer.concat(await Array.fromAsync(stream))

async function hashesOf(bytes: Buffer, kind: 'video' | 'audio') {
  const film = openFilm(bytes)
  const track = kind === 'video' ? await film.getPrimaryVideoTrack() : (await film.getAudioTracks()).at(-1)
  assert.ok(track)
  return (await packetsOf(track)).map(({ data }) => sha256(data))
}

describe('a license of a device', () => {
  test('says who plays what on which device, and opens every picture and all sound', async () => {
    const subtitles = {
      bytes: Buffer.from('WEBVTT\n\n00:00.000 --> 00:02.000\nTerns\n'),
      name: 'film.en.vtt',
      role: 'subtitles',
      language: 'en',
    }
    const film = { bytes: await offlineFilm(), name: 'film.mp4', role: 'main_sd' }
    const owned = await anOwnedFilm(service, { files: [film, subtitles], terms: { play_prot_level_digital: 200 } })
    const device = await aDevice()
    const license = await taken(service, owned, device)
    const open = await opened(service, license, device)
    const { license: claims } = open
    assert.partialDeepStrictEqual(claims, {
      iss: service.app.baseUrl,
      sub: owned.customer.token,
      company_id: owned.shop.companyId,
      entitlement_id: owned.id,
      device: 'tablet',
      cnf: { jkt: device.keys.thumbprint },
      exp: claims.iat + 30 * DAY,
      license: { drm: 1, actions: { play: true }, protection: { play_prot_level_digital: 200 } },
      remaining: { downloads: null },
    })
    const subtitleId = `s${owned.files[1]?.id}`
    assert.deepEqual(
      claims.tracks.map(({ id, kind, content_type, language }) => [id, kind, content_type, language]),
      [
        ['v', 'video', 'video/mp4', ''],
        ['a0', 'audio', 'audio/mp4', 'en'],
        ['a1', 'audio', 'audio/mp4', 'de'],
        [subtitleId, 'subtitles', 'text/vtt', 'en'],
      ],
    )
    const clear = new Map<string, Buffer>()
    for (const { id, bytes, etag } of claims.tracks) {
      const answer = await fetchTrack(service, owned.shop, license, id)
      assert.deepEqual([answer.status, answer.bytes.length, answer.headers.get('etag')], [200, bytes, etag])
      assert.equal(answer.headers.get('cache-control'), 'private, no-store')
      assert.ok(!answer.bytes.includes('moof') && !answer.bytes.includes('WEBVTT'), 'it is not encrypted')
      clear.set(id, await bytesOf(decryptTrack(open, id, streamOf(answer.bytes))))
    }
    for (const [id, kind] of [
      ['v', 'video'],
      ['a1', 'audio'],
    ] as const)
      assert.deepEqual(await hashesOf(clear.get(id) ?? Buffer.alloc(0), kind), await hashesOf(film.bytes, kind))
    assert.deepEqual(clear.get(subtitleId), subtitles.bytes)
  })

  test('has none of the keys that the service stores, and each key opens one track of one license', async () => {
    const owned = await anOwnedFilm(service)
    const [one, other] = [await aDevice('one'), await aDevice('other')]
    const [first, second] = [await taken(service, owned, one), await taken(service, owned, other)]
    const claimsOf = async (license: typeof first, device: typeof one) =>
      (await opened(service, license, device)).license
    assert.ok(!first.jws.includes('"k"'))
    const { bytes } = await fetchTrack(service, owned.shop, first, 'v')
    const again = await fetchTrack(service, owned.shop, second, 'v')
    assert.notDeepEqual(bytes.subarray(0, 64), again.bytes.subarray(0, 64), 'two downloads are encrypted alike')
    const [mine, theirs] = [await opened(service, first, one), await opened(service, second, other)]
    const beginning = async (trackKeys: typeof mine.trackKeys, track: string) =>
      (await bytesOf(decryptTrack({ trackKeys }, track, streamOf(bytes.subarray(0, 64))))).toString('latin1', 4, 8)
    assert.equal(await beginning(mine.trackKeys, 'v'), 'ftyp')
    assert.notEqual(await beginning(mine.trackKeys, 'a0'), 'ftyp', 'the key of another track')
    assert.notEqual(await beginning(theirs.trackKeys, 'v'), 'ftyp', 'the key of another license')
    assert.notEqual((await claimsOf(first, one)).jti, (await claimsOf(second, other)).jti)
  })

  test('is refused as playing and downloading are, with their reasons, and counts nothing then', async () => {
    const shop = await service.openShop()
    const device = await aDevice()
    const codeOf = async (terms: object) => refusal(service, await anOwnedFilm(service, { shop, terms }), device)
    assert.equal(await codeOf({ allow_play: 0 }), 'play_not_allowed')
    assert.equal(await codeOf({ total_downloads: 0 }), 'download_not_allowed')
    const unplayable = await anOwnedFilm(service, { shop, terms: { allow_play: 0, total_downloads: 2 } })
    await refusal(service, unplayable, device)
    const { remaining, first_used_at } = await read(shop, unplayable.id)
    assert.deepEqual([remaining.downloads, first_used_at], [2, null])
  })

  test('counts a download and a device once, however often the same device asks', async () => {
    const owned = await anOwnedFilm(service, {
      terms: { total_downloads: 2, total_concurrent_devices: 1 },
    })
    const device = await aDevice()
    const first = await taken(service, owned, device)
    const second = await taken(service, owned, device)
    assert.equal(second.id, first.id)
    const keysOf = async (license: typeof first) => {
      const { bytes } = await fetchTrack(service, owned.shop, license, 'a0', { range: 'bytes=0-31' })
      return bytes.toString('hex')
    }
    assert.equal(await keysOf(second), await keysOf(first))
    const { remaining } = await read(owned.shop, owned.id)
    assert.deepEqual([remaining.downloads, remaining.devices], [1, 0])
    assert.equal(await refusal(service, owned, await aDevice('phone')), 'device_limit')
    const shown = (await owned.shop.get(`/api/entitlements/${owned.id}/device_licenses.json`)).body.device_licenses
    assert.deepEqual(
      shown.map(({ status, device: name, name: file }: Wire) => [status, name, file]),
      [['active', 'tablet', 'film.mp4']],
    )
    const uses = (await owned.shop.get(`/api/entitlements/${owned.id}/uses.json`)).body.uses
    assert.deepEqual(
      uses.map(({ action, code, device: name }: Wire) => [action, code, name]),
      [
        ['download', 'allowed', 'tablet'],
        ['play', 'device_limit', 'phone'],
      ],
    )
  })

  test('is for protected films alone, and for those that the customer has', async () => {
    const shop = await service.openShop()
    const device = await aDevice()
    const ask = async (id: number, file_id?: number) =>
      shop.post(`/api/entitlements/${id}/device_license.json`, {
        device_license: {
          device: device.device,
          public_key: device.keys.publicKey,
          ...(file_id === undefined ? {} : { file_id }),
        },
      })
    const plain = await anOwnedFilm(service, { shop, product: { drm_protected: false } })
    const refused = await ask(plain.id)
    assert.deepEqual([refused.status, refused.body.reason], [409, 'not_for_devices'])
    const owned = await anOwnedFilm(service, { shop })
    const foreign = await ask(owned.id, plain.files[0]?.id)
    assert.deepEqual([foreign.status, foreign.body.reason], [403, 'file_not_included'])
    assert.equal((await ask(owned.id, owned.files[0]?.id)).status, 200)
  })
})

describe('a track', () => {
  test('is sent from any of its bytes on, as RFC 9110 says', async () => {
    const owned = await anOwnedFilm(service)
    const device = await aDevice()
    const license = await taken(service, owned, device)
    const open = await opened(service, license, device)
    const ask = (headers: Record<string, string>) => fetchTrack(service, owned.shop, license, 'v', headers)
    const whole = await ask({})
    const size = whole.bytes.length
    const etag = whole.headers.get('etag') ?? ''
    const clear = await bytesOf(decryptTrack(open, 'v', streamOf(whole.bytes)))
    for (const [start, end] of [
      [0, 0],
      [1, 1],
      [15, 16],
      [17, 5000],
      [700, 100_003],
      [size - 5, size - 1],
    ] as const) {
      const { status, bytes, headers } = await ask({ range: `bytes=${start}-${end}` })
      assert.deepEqual([status, headers.get('content-range')], [206, `bytes ${start}-${end}/${size}`])
      assert.deepEqual(bytes, whole.bytes.subarray(start, end + 1))
      const part = await bytesOf(decryptTrack(open, 'v', streamOf(bytes, 7), { at: start }))
      assert.deepEqual(part, clear.subarray(start, end + 1))
    }
    assert.deepEqual((await ask({ range: 'bytes=-10' })).bytes, whole.bytes.subarray(size - 10))
    assert.equal((await ask({ range: `bytes=${size - 3}-` })).bytes.length, 3)
    const head = await ask({ method: 'HEAD' })
    assert.deepEqual([head.status, head.bytes.length, head.headers.get('content-length')], [200, 0, String(size)])
    assert.equal((await ask({ 'if-none-match': etag })).status, 304)
    assert.equal((await ask({ range: 'bytes=5-9', 'if-range': etag })).status, 206)
    assert.equal((await ask({ range: 'bytes=5-9', 'if-range': '"other"' })).status, 200)
  })

  test('survives ranges that make no sense', async () => {
    const owned = await anOwnedFilm(service)
    const license = await taken(service, owned, await aDevice())
    const ask = (range: string) => fetchTrack(service, owned.shop, license, 'a0', { range })
    const { bytes } = await ask('bytes=0-')
    for (const range of [`bytes=${bytes.length}-`, 'bytes=999999999999999-', 'bytes=-0']) {
      const { status, headers } = await ask(range)
      assert.deepEqual([status, headers.get('content-range')], [416, `bytes */${bytes.length}`], range)
    }
    for (const range of [
      'bytes=9-5',
      'bytes=0-1,5-9',
      'bytes=-',
      'bytes=a-b',
      'items=0-5',
      `bytes=0-${'9'.repeat(30)}`,
    ])
      assert.equal((await ask(range)).status, 200, range)
    for (const track of ['x', 'v9', 's1', '..%2Fa0', '%00'])
      assert.equal((await fetchTrack(service, owned.shop, license, track)).status, 404, track)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useService } from '#test/harness.ts'
import { aFilm, demoTrack } from '#test/media.ts'
import { beside, type StreamSale, streaming } from '#test/streaming.ts'

const service = useService()
const { aSale, enter, play, fetchBytes, listOf, askKey, reasonOf } = streaming(service)

describe('a playback', () => {
  test('that begins again gets no more keys than the one before had left', async () => {
    const sale = await aSale()
    const [visitor, other] = [await enter(sale), await enter(sale)]
    let given = 0
    for (let round = 0; round < 5; round += 1) {
      const { url } = await play(sale, round === 3 ? other : visitor)
      for (let period = 0; period < 8; period += 1)
        if ((await askKey(round === 3 ? other : visitor, url, `0-${period}.key`)).status === 200) given += 1
    }
    assert.ok(given >= 8 && given <= 13, `${given} keys`)
    service.clock.advance(60)
    const { url } = await play(sale, visitor)
    for (let period = 0; period < 4; period += 1)
      assert.equal((await askKey(visitor, url, `0-${period}.key`)).status, 200, 'who pauses gets as many as before')
  })

  test('that is over sends nothing any more', async () => {
    const sale = await aSale()
    const visitor = await enter(sale)
    const { url, playback } = await play(sale, visitor)
    const [segment] = await listOf(visitor, url)
    const names = ['main.m3u8', '0-v.m3u8', '0-v-init.mp4', segment?.uri ?? '']
    for (const name of names) assert.equal((await fetchBytes(visitor, beside(url, name))).status, 200, name)
    await visitor.post(`${sale.base}/my-content/${sale.owned.id}/leave`, { playback })
    for (const name of names) {
      const { status, text } = await fetchBytes(visitor, beside(url, name))
      assert.equal(status, 403, name)
      assert.equal(JSON.parse(text).code, 'over', name)
    }
    const first = await play(sale, visitor)
    await play(sale, visitor)
    const { text } = await fetchBytes(visitor, beside(first.url, names[3] ?? ''))
    assert.equal(JSON.parse(text).code, 'played_elsewhere')
  })

  test('goes on when an older window of the same browser is closed', async () => {
    const sale = await aSale({ total_concurrent_devices: 1 })
    const visitor = await enter(sale)
    const place = `${sale.base}/my-content/${sale.owned.id}`
    const old = await play(sale, visitor)
    const { url, playback } = await play(sale, visitor)
    assert.equal((await visitor.post(`${place}/leave`, { playback: old.playback })).status, 204)
    assert.equal((await askKey(visitor, url)).status, 200)
    assert.equal((await play(sale, await enter(sale))).status, 403, 'it keeps its place')
    assert.equal((await visitor.post(`${place}/leave`, { playback })).status, 204)
    assert.equal(await reasonOf(visitor, url), 'over')
    assert.equal((await play(sale, await enter(sale))).status, 200)
  })

  test('begins and is asked for keys by many at once, and each waits for the others', async () => {
    const sale = await aSale({ total_concurrent_devices: 1 })
    const visitor = await enter(sale)
    const { url } = await play(sale, visitor)
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => play(sale, visitor)),
      ...Array.from({ length: 6 }, (_, period) => askKey(visitor, url, `0-${period}.key`)),
    ])
    for (const { status } of answers) assert.ok([200, 403].includes(status), String(status))
    const going = await service.db
      .selectFrom('playbacks')
      .select('id')
      .where('company_id', '=', sale.shop.companyId)
      .where('ended', 'is', null)
      .execute()
    assert.equal(going.length, 1, 'two browsers with one device id play once')
  })

  test('is not found by addresses that are no ids', async () => {
    const sale = await aSale()
    const visitor = await enter(sale)
    for (const id of ['x', '1e3', '-1', '99999999999999999999', '1.5'])
      for (const path of ['leave', 'heartbeat', 'progress', 'play']) {
        const { status } = await visitor.post(`${sale.base}/my-content/${id}/${path}`, { playback: 'a', file: '1' })
        assert.equal(status, 404, `${id}/${path}`)
        const plain = await visitor.post(`${sale.base}/my-content/${id}/${path}`, {})
        assert.ok(plain.status < 500, `${id}/${path}: ${plain.status}`)
      }
  })
})

test('there are no licenses of commercial DRM without a proxy that gives them', async () => {
  const sale = await aSale()
  const visitor = await enter(sale)
  const { url } = await play(sale, visitor)
  assert.equal((await askKey(visitor, url)).status, 200)
  const asked = await visitor.post(beside(url, '0-0.widevine'), { request: 'any' })
  assert.equal(asked.status, 404)
})

describe('a film in HD and SD', () => {
  const files = async () => [
    { bytes: await aFilm(), name: 'film.mp4', role: 'main_hd' },
    { bytes: await aFilm({ version: 'sd' }), name: 'film.mp4', role: 'main_sd' },
  ]

  test('is played in SD where HD is refused in the middle of it', async () => {
    const sale = await aSale({}, await files(), { product_type: 9 })
    const visitor = await enter(sale)
    const { url } = await play(sale, visitor)
    assert.equal((await askKey(visitor, url, '0-0.key')).status, 200)
    assert.equal((await askKey(visitor, url, '1-0.key')).status, 200)
    await service.db
      .updateTable('entitlements')
      .set({ hd: false })
      .where('company_id', '=', sale.shop.companyId)
      .where('id', '=', sale.owned.id)
      .execute()
    assert.equal(await reasonOf(visitor, url, {}, '0-1.key'), 'hd_refused')
    assert.equal((await askKey(visitor, url, '1-1.key')).status, 200)
  })

  test('has one version to choose under a license that asks for HDCP', async () => {
    const pageOf = async (terms: object) => {
      const sale = await aSale(terms, await files(), { product_type: 9 })
      const visitor = await enter(sale)
      return (await visitor.get(`${sale.base}/my-content/${sale.owned.id}/play`)).text
    }
    assert.match(await pageOf({}), /name="quality"/)
    assert.doesNotMatch(await pageOf({ copp_hdcp: 1 }), /name="quality"/)
  })
})

describe('the file of a protected film', () => {
  const everyWay = async (sale: StreamSale) => {
    const { shop, owned, base } = sale
    const [{ id: file_id }] = owned.files
    const visitor = await enter(sale)
    const { token } = await shop.asCustomer(owned.customer.id)
    const issued = await shop.post(`/api/entitlements/${owned.id}/download.json`, { download: { file_id } })
    const own = await service.call('GET', `/api/files/${file_id}/download`, { token })
    const head = await service.call('HEAD', `/api/files/${file_id}/download`, { token })
    const pressed = await visitor.post(`${base}/my-content/${owned.id}/download`, { file_id: String(file_id) })
    const { text } = await visitor.get(`${base}/my-content/${owned.id}`)
    const shelf = await visitor.get(`${base}/my-content`)
    return {
      reason: issued.body.reason,
      status: [issued.status, own.status, head.status],
      isOffered: /name="file_id"|\/download"|downloads? left/i.test(text + shelf.text),
      isPressed: pressed.status === 303 && (pressed.location ?? '').startsWith('/files/'),
    }
  }
  // A product has it from its beginning. Addresses are checked whenever they are used, whatever they were given out for.
  const protect = ({ shop }: StreamSale) =>
    service.db.updateTable('products').set({ drm_protected: true }).where('company_id', '=', shop.companyId).execute()
  const REFUSED = { reason: 'file_streamed', status: [403, 403, 403], isOffered: false, isPressed: false }

  test('is given to nobody who bought, borrowed or was given it', async () => {
    assert.deepEqual(await everyWay(await aSale({ total_downloads: -1, annual_downloads: -1 })), REFUSED)
    const borrowed = { expire_after_acquisition: 14, expire_after_acquisition_mode: 1, total_downloads: 3 }
    assert.deepEqual(await everyWay(await aSale(borrowed)), REFUSED)
    const hd = { product_type: 9 }
    const files = [{ bytes: await aFilm(), name: 'film.mp4', role: 'main_hd' }]
    assert.deepEqual(await everyWay(await aSale({ copp_hdcp: 1 }, files, hd)), REFUSED)
  })

  test('is not given out before it is packed either, nor by an address from before', async () => {
    const sale = await aSale({}, undefined, { drm_protected: false })
    const { shop, owned } = sale
    const before = await shop.post(`/api/entitlements/${owned.id}/download.json`, { download: {} })
    assert.equal((await fetch(before.body.download.url)).status, 200)
    await protect(sale)
    assert.equal((await fetch(before.body.download.url)).status, 403)
    assert.deepEqual(await everyWay(sale), REFUSED)
    assert.equal((await play(sale, await enter(sale))).status, 403, 'it is not packed yet')
  })

  test('is sold where it cannot be packed, but not in HD where a license asks for HDCP', async () => {
    const film = await aFilm({ withoutKeys: true })
    const open = await everyWay(await aSale({}, film))
    assert.deepEqual([open.status[0], open.isOffered], [200, true])
    assert.deepEqual(await everyWay(await aSale({ copp_hdcp: 1 }, film)), REFUSED)
    const hdcp = await aSale({ play_prot_level_digital: 200 }, film)
    assert.equal((await play(hdcp, await enter(hdcp))).status, 403)
    const small = await aSale({ copp_hdcp: 1 }, await aFilm({ withoutKeys: true, version: 'sd' }))
    assert.equal((await play(small, await enter(small))).kind, 'file')
  })

  test('is open under a license without DRM, and to the company itself', async () => {
    const sale = await aSale({ drm: 0 })
    const { status } = await everyWay(sale)
    assert.deepEqual(status, [200, 303, 200])
    const packed = await aSale()
    const headers = { authorization: `Bearer ${packed.shop.token}` }
    assert.equal((await fetch(packed.owned.files[0].download_url, { headers })).status, 200)
  })

  test('of a recording is played from segments once it is packed, and from nothing else', async () => {
    const files = [{ bytes: await demoTrack(), name: 'track.mp3' }]
    const sale = await aSale({}, files, { product_type: 5, drm_protected: false })
    const visitor = await enter(sale)
    const { url } = await play(sale, visitor)
    assert.equal((await fetchBytes(visitor, url)).status, 200)
    await protect(sale)
    assert.equal((await fetchBytes(visitor, url)).status, 403)
  })
})

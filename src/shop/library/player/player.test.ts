import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readStarted } from '#rights/entitlements/positions/queries.ts'
import { aCustomer } from '#test/customers.ts'
import { usePictureHost } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { enterShop, type OwnedFile, ownedContent } from '#test/owned-content.ts'
import { useShopPages } from '#test/shop-pages.ts'
import { someVideo } from '#test/uploads.ts'
import type { PageAnswer, Visitor } from '#test/visitor.ts'
import { toWebVtt } from './subtitles.rules.ts'

const service = useService()
const pages = useShopPages(service)
const host = usePictureHost()

const JSON_ONLY = { accept: 'application/json' }
const FIREFOX = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
const SRT = '1\r\n00:00:01,5 --> 00:00:04,000\r\n<i>You could</i> turn around.\r\n'

const film = (bytes = someVideo()): OwnedFile => ({ bytes, name: 'film.mp4', role: 'main_sd' })
const own = (terms: object = {}, files = [film()], more: object = {}) =>
  ownedContent(service, pages.shop, { terms, files, ...more })
const enter = (customer: object, headers = FIREFOX) => enterShop(service, pages.shop, pages.base, customer, headers)
const place = (id: number) => `${pages.base}/my-content/${id}`

/** Presses Play as the script of the page does. */
async function play(visitor: Visitor, id: number, fields: Record<string, string> = {}) {
  const answer = await visitor.post(`${place(id)}/play`, fields, JSON_ONLY)
  return { status: answer.status, headers: answer.headers, ...JSON.parse(answer.text) }
}

const stop = (visitor: Visitor, id: number, path: string, fields: Record<string, string> = {}) =>
  visitor.post(`${place(id)}/${path}`, fields)

/** Runs a step some hours later, and turns the clock back: the tokens of the shop would expire. */
async function later(hours: number, step: () => Promise<void>): Promise<void> {
  service.clock.advance(hours * 3600)
  await step().finally(() => service.clock.advance(-hours * 3600))
}

async function fetchBytes(path: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(`${service.url}${path}`)).arrayBuffer())
}

const refusalOn = ({ text }: PageAnswer) =>
  /class="p-refused" role="alert"><p>([^<]+)<\/p><a[^>]* href="([^"]+)"/.exec(text)

describe('playing in the page', () => {
  test('needs a signed-in customer', async () => {
    const { id } = await own()
    const guest = pages.comeIn()
    for (const answer of [await guest.get(`${place(id)}/play`), await guest.post(`${place(id)}/play`, {})]) {
      assert.equal(answer.status, 303)
      assert.equal(answer.location, `${pages.base}/login?return_to=${encodeURIComponent(`${place(id)}/play`)}`)
    }
  })

  test('gives the customer the address of the film, and says until when', async () => {
    const bytes = someVideo()
    const { id, customer } = await own({ drm: 1, allow_play: 1, expire_after_first_use: 48 }, [film(bytes)])
    const visitor = await enter(customer)
    const before = await visitor.get(`${place(id)}/play`)
    assert.equal(before.status, 200, before.text)
    assert.match(before.headers.get('content-security-policy') ?? '', /media-src 'self'/)
    assert.equal(before.headers.get('cache-control'), 'no-store')
    assert.doesNotMatch(before.text, /signature=/)
    const started = await play(visitor, id)
    assert.equal(started.status, 200)
    assert.equal(started.headers.get('cache-control'), 'no-store')
    assert.equal(started.source.content_type, 'video/mp4')
    assert.ok((await fetchBytes(started.source.url)).equals(bytes))
    assert.ok(Math.abs(Date.parse(started.until) - service.clock.now().getTime() - 48 * 3_600_000) < 5000)
    const part = await fetch(`${service.url}${started.source.url}`, { headers: { range: 'bytes=10-19' } })
    assert.equal(part.status, 206)
  })

  test('works without script', async () => {
    const bytes = someVideo()
    const { id, customer, files } = await own({}, [film(bytes)])
    const visitor = await enter(customer)
    await stop(visitor, id, 'progress', { file: String(files[0].id), seconds: '61', duration: '600' })
    await visitor.get(`${place(id)}/play`)
    const { text } = await visitor.submit(`${place(id)}/play`)
    const [, address = ''] = /<video controls[^>]* src="([^"]+)"/.exec(text) ?? []
    assert.match(address, /#t=61$/)
    assert.ok((await fetchBytes(address.replaceAll('&amp;', '&').replace(/#.*/, ''))).equals(bytes))
  })

  test('begins with the picture of the product, which an album keeps', async () => {
    const images = [{ src: host.url('/cover.png') }]
    const video = await own({}, [film()], { product: { images } })
    const album = await own({}, [track('01 First light')], { product: { product_type: 5, images } })
    await service.runJobs()
    const art = /<div class="screen-art" data-art><img src="\/pictures\/[^"]+" alt="" width="40" height="30"/
    const poster = /<video controls[^>]* poster="\/pictures\/[^"]+"/
    for (const [{ id, customer }, before, playing] of [
      [video, [true, true], [false, true]],
      [album, [true, false], [true, false]],
    ] as const) {
      const visitor = await enter(customer)
      const seen = ({ text }: PageAnswer) => [art.test(text), poster.test(text)]
      assert.deepEqual(seen(await visitor.get(`${place(id)}/play`)), before)
      assert.deepEqual(seen(await visitor.submit(`${place(id)}/play`)), playing)
    }
  })

  test('shows nothing to other customers, and forged addresses are refused', async () => {
    const { id, customer, files } = await own({}, [
      film(),
      { bytes: Buffer.from(SRT), name: 'a.srt', role: 'subtitles' },
    ])
    const stranger = await enter(await aCustomer(pages.shop))
    for (const path of ['play', `subtitles/${files[1].id}`])
      assert.equal((await stranger.get(`${place(id)}/${path}`)).status, 404, path)
    for (const path of ['play', 'progress', 'heartbeat', 'leave'])
      assert.equal((await stop(stranger, id, path, { file: String(files[0].id), seconds: '5' })).status, 404, path)
    const { url } = (await play(await enter(customer), id)).source
    assert.equal((await fetch(`${service.url}${url.replace(/customer=\d+/, 'customer=1')}`)).status, 403)
    assert.equal((await fetch(`${service.url}${url.slice(0, -2)}xx`)).status, 403)
    await later(7, async () => assert.equal((await fetch(`${service.url}${url}`)).status, 403))
  })

  test('takes no form of another site', async () => {
    const { id, customer } = await own()
    const visitor = await enter(customer)
    const answer = await visitor.post(`${place(id)}/play`, {}, { 'sec-fetch-site': 'cross-site' })
    assert.equal(answer.status, 403)
  })

  test('is not there for something that cannot be played', async () => {
    const { id, customer } = await own({}, [{ bytes: Buffer.from('Hello.\n'), name: 'a.txt', role: 'main_sd' }])
    const visitor = await enter(customer)
    assert.equal((await visitor.get(`${place(id)}/play`)).status, 404)
    assert.equal((await visitor.post(`${place(id)}/play`, {})).status, 404)
  })

  test('stops with the entitlement, and says why and what to do', async () => {
    const { id, customer, product } = await own({ drm: 1, allow_play: 1, expire_after_first_use: 2 })
    const visitor = await enter(customer)
    const { url } = (await play(visitor, id)).source
    await later(2, async () => {
      assert.equal((await stop(visitor, id, 'heartbeat')).status, 403)
      assert.equal((await fetch(`${service.url}${url}`)).status, 403)
      const page = await visitor.get(`${place(id)}/play`)
      const [, reason = '', link] = refusalOn(page) ?? []
      assert.match(reason, /ended|expired|over/i)
      assert.equal(link, `${pages.base}/products/${product.id}`)
      assert.doesNotMatch(page.text, /data-start/)
      assert.equal((await play(visitor, id)).status, 403)
    })
  })

  test('goes on in a browser that does not know the time', async () => {
    const { id, customer } = await own()
    const visitor = await enter(customer)
    for (const client_time of ['Invalid Date', '2026-13-99T99:99:99Z', '\0']) {
      assert.equal((await play(visitor, id, { client_time })).status, 200, client_time)
      assert.equal((await stop(visitor, id, 'heartbeat', { client_time })).status, 204, client_time)
    }
  })

  test('is refused on a second device until the first one leaves', async () => {
    const { id, customer } = await own({
      drm: 1,
      allow_play: 1,
      total_concurrent_devices: 1,
      annual_concurrent_devices: -1,
    })
    const first = await enter(customer)
    assert.equal((await play(first, id)).status, 200)
    // The same browser may go on, also after a reload.
    assert.equal((await play(first, id)).status, 200)
    const second = await enter(customer, { 'user-agent': 'Mozilla/5.0 (iPad; CPU OS 18_0) Safari/604.1' })
    const refused = await second.post(`${place(id)}/play`, {})
    assert.equal(refused.status, 403)
    assert.equal(refusalOn(refused)?.[2], `${pages.base}/account/devices`)
    // A heartbeat keeps the place for longer than the first quarter of an hour.
    await later(0.2, async () => {
      assert.equal((await stop(first, id, 'heartbeat')).status, 204)
      await later(0.2, async () => {
        assert.equal((await play(second, id)).status, 403)
        assert.equal((await stop(first, id, 'leave')).status, 204)
        assert.equal((await play(second, id)).status, 200)
      })
    })
    const { devices } = (await pages.shop.get(`/api/customers/${customer.token}/devices.json`)).body
    assert.deepEqual(
      devices.map(({ name }: { name: string }) => name),
      ['Firefox on Linux', 'Safari on iPad'],
    )
  })

  test('keeps the name that the customer gave a device', async () => {
    const { id, customer } = await own()
    const visitor = await enter(customer)
    await play(visitor, id)
    const path = `/api/customers/${customer.token}/devices`
    const [device] = (await pages.shop.get(`${path}.json`)).body.devices
    await pages.shop.put(`${path}/${device.id}.json`, { device: { name: 'Kitchen' } })
    await play(visitor, id)
    assert.equal((await pages.shop.get(`${path}.json`)).body.devices[0].name, 'Kitchen')
  })
})

describe('where the customer stopped', () => {
  test('is where playing goes on, on every device', async () => {
    const { id, customer, files } = await own()
    const visitor = await enter(customer)
    const file = String(files[0].id)
    assert.equal((await play(visitor, id)).seconds, 0)
    assert.equal((await stop(visitor, id, 'progress', { file, seconds: '100.7', duration: '6000' })).status, 204)
    assert.equal((await play(await enter(customer), id)).seconds, 100)
    await stop(visitor, id, 'leave', { file, seconds: '250', duration: '6000' })
    assert.equal((await play(visitor, id)).seconds, 250)
    // At the end it begins again.
    await stop(visitor, id, 'heartbeat', { file, seconds: '5990', duration: '6000' })
    assert.equal((await play(visitor, id)).seconds, 0)
  })

  test('is listed, the latest first, without what is finished', async () => {
    const first = await own()
    const { customer } = first
    const second = await own({}, [film()], { customer })
    const third = await own({}, [film()], { customer })
    const visitor = await enter(customer)
    for (const [{ id, files }, seconds] of [
      [first, '60'],
      [second, '30'],
      [third, '99'],
    ] as const) {
      await stop(visitor, id, 'progress', { file: String(files[0].id), seconds, duration: '100' })
      service.clock.advance(1)
    }
    const owner = { companyId: pages.shop.companyId, customerId: customer.id }
    const started = await readStarted(service.db, owner, 10)
    assert.deepEqual(
      started.map(({ position }) => [position.entitlement_id, position.seconds]),
      [
        [second.id, 30],
        [first.id, 60],
      ],
    )
    assert.equal((await pages.shop.delete(`/api/customers/${customer.token}.json`)).status, 200)
    assert.deepEqual(await readStarted(service.db, owner, 10), [])
  })

  test('is kept for files of the entitlement only, and nonsense is the beginning', async () => {
    const { id, customer, files } = await own()
    const other = await own()
    const visitor = await enter(customer)
    for (const file of [String(other.files[0].id), 'x', ''])
      assert.equal((await stop(visitor, id, 'progress', { file, seconds: '50', duration: '100' })).status, 204)
    await stop(visitor, id, 'progress', { file: String(files[0].id), seconds: '-1', duration: 'NaN' })
    const rows = await service.db.selectFrom('content_positions').selectAll().where('entitlement_id', '=', id).execute()
    assert.deepEqual(
      rows.map(({ file_id, seconds, fraction }) => [file_id, seconds, fraction]),
      [[files[0].id, 0, 0]],
    )
  })
})

describe('versions, tracks and subtitles', () => {
  test('a film in HD and SD is one title, which goes on at the same place', async () => {
    const sd = someVideo()
    const versions = [
      { bytes: someVideo(), name: 'film-hd.mp4', role: 'main_hd' },
      { ...film(sd), name: 'film-sd.mp4' },
    ]
    // Only products other than video have their HD files without an HD purchase.
    const { id, customer, files } = await own({}, versions, { product: { product_type: 7 } })
    const visitor = await enter(customer)
    await stop(visitor, id, 'progress', { file: String(files[0].id), seconds: '70', duration: '600' })
    const { text } = await visitor.get(`${place(id)}/play`)
    assert.deepEqual(
      [...text.matchAll(/name="quality" value="(\d+)"( checked)?>(\w+)</g)].map(([, file, checked, name]) => [
        file,
        checked,
        name,
      ]),
      [
        [String(files[0].id), ' checked', 'HD'],
        [String(files[1].id), undefined, 'SD'],
      ],
    )
    assert.doesNotMatch(text, /class="tracks"/)
    const started = await play(visitor, id, { file: String(files[1].id) })
    assert.equal(started.seconds, 70)
    assert.ok((await fetchBytes(started.source.url)).equals(sd))
  })

  test('an album is a list of tracks', async () => {
    const { id, customer, files } = await own({}, [track('01 First light'), track('02 Last train')], {
      product: { product_type: 5 },
    })
    const visitor = await enter(customer)
    const { text } = await visitor.get(`${place(id)}/play?file=${files[1].id}`)
    assert.match(text, /<audio controls/)
    assert.match(
      text,
      /01 First light[\s\S]*aria-current="true"><span class="num p-at" aria-hidden="true">2<\/span><span dir="auto" data-track>02 Last train</,
    )
  })

  test('a film in a language that nobody knows is sold and played', async () => {
    const subtitles = { bytes: Buffer.from(SRT), name: 'film.srt', role: 'subtitles', language: 'de' }
    const { id, product, customer, files } = await own({}, [{ ...film(), language: 'en' }, subtitles])
    // The API refuses such codes, but has not always done so.
    for (const [index, language] of ['en-12', 'de-1a'].entries())
      await service.db
        .updateTable('content_files')
        .set({ language })
        .where('company_id', '=', pages.shop.companyId)
        .where('id', '=', files[index].id)
        .execute()
    const visitor = await enter(customer)
    const page = await visitor.get(`${place(id)}/play`)
    assert.equal(page.status, 200)
    assert.match(page.text, /srclang="de-1a" label="de-1a"/)
    const sold = await visitor.get(`${pages.base}/products/${product.id}`)
    assert.equal(sold.status, 200)
    assert.match(sold.text, /en-12/)
  })

  test('subtitles are converted for the browser, and end with the entitlement', async () => {
    const subtitles = { bytes: Buffer.from(SRT), name: 'film.de.srt', role: 'subtitles', language: 'de' }
    const { id, customer, files } = await own({ drm: 1, allow_play: 1, expire_after_acquisition: 2 }, [
      film(),
      subtitles,
    ])
    const visitor = await enter(customer)
    const { text } = await visitor.get(`${place(id)}/play`)
    const [, source = ''] = /<track kind="subtitles" src="([^"]+)" srclang="de" label="German">/.exec(text) ?? []
    const answer = await visitor.get(source)
    assert.equal(answer.headers.get('content-type'), 'text/vtt; charset=utf-8')
    assert.equal(answer.text, 'WEBVTT\n\n00:00:01.500 --> 00:00:04.000\n<i>You could</i> turn around.\n')
    assert.equal((await visitor.get(`${place(id)}/subtitles/${files[0].id}`)).status, 404)
    await later(2, async () => assert.equal((await visitor.get(source)).status, 403))
  })

  test('SubRip becomes WebVTT, and WebVTT stays', () => {
    const cue = (text: string) => `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${text}\n`
    const srt = (text: string) => `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`
    assert.equal(
      toWebVtt('\uFEFFWEBVTT\r\n\r\n00:01.000 --> 00:02.000\r\nHi\r\n'),
      'WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n',
    )
    assert.equal(toWebVtt(srt('One\nTwo')), cue('One\nTwo'))
    assert.equal(toWebVtt(srt('<font color="red"><B>Hi</B></font>{\\an8}')), cue('<b>Hi</b>'))
    assert.equal(toWebVtt(srt('a --> b')), cue('a → b'))
    assert.equal(toWebVtt('1\n00:00:01,000 --> 00:00:02,000 X1:0 Y1:0\nHi'), cue('Hi'))
    assert.equal(toWebVtt('no subtitles\n\nat all'), 'WEBVTT\n\n\n')
    assert.equal(toWebVtt(`${srt('Good')}\n2\nbroken --> 00:00:04,000\nBad`), cue('Good'))
  })
})

/** The first bytes of MP3 audio. */
function track(name: string): OwnedFile {
  return { bytes: Buffer.concat([Buffer.from('ID3'), Buffer.alloc(500)]), name: `${name}.mp3`, role: 'main_sd' }
}

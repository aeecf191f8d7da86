import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anEpub, aPdf } from '#test/books.ts'
import { aCustomer } from '#test/customers.ts'
import { aThemeSetting, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { askHost } from '#test/hosts.ts'
import { enterShop, ownedContent } from '#test/owned-content.ts'
import { baseOf, useShopPages } from '#test/shop-pages.ts'
import { someVideo } from '#test/uploads.ts'
import type { PageAnswer, Visitor } from '#test/visitor.ts'

const service = useService()
const pages = useShopPages(service)

const place = (id: number) => `${pages.base}/my-content/${id}`
const enter = (customer: Wire) => enterShop(service, pages.shop, pages.base, customer)
const ownBook = (bytes: Buffer, name: string, terms: object = {}) =>
  ownedContent(service, pages.shop, {
    files: [{ bytes, name }],
    terms: { stamp: 0, ...terms },
    product: { product_type: 16 },
  })

/** Opens a book, and returns the address of its frame. */
async function open(visitor: Visitor, id: number): Promise<{ host: string; path: string; policy: string }> {
  const { status, text, headers } = await visitor.post(`${place(id)}/read`, {})
  assert.equal(status, 200, text)
  const [, address = ''] = /<iframe [^>]*src="([^"]+)" sandbox="allow-scripts allow-same-origin"/.exec(text) ?? []
  const { host, pathname } = new URL(address)
  return { host, path: pathname, policy: headers.get('content-security-policy') ?? '' }
}

describe('reading in the page', () => {
  test('waits for a copy that names the customer on a page that reloads itself, and opens it then', async () => {
    const { id, customer, files } = await ownBook(anEpub(), 'book.epub', { stamp: 1, total_downloads: 1 })
    const file_id = String(files[0]?.id)
    const visitor = await enter(customer)
    const assertWaits = ({ status, headers, text }: PageAnswer) => {
      assert.deepEqual([status, headers.get('refresh')], [200, '3'])
      assert.match(text, /<h1>Your copy is being prepared<\/h1>/)
    }
    const asked = [visitor.post(`${place(id)}/read`, {}), visitor.post(`${place(id)}/download`, { file_id })]
    for (const answer of await Promise.all(asked)) assertWaits(await visitor.follow(answer))
    assert.equal((await visitor.get(place(id))).headers.get('refresh'), null)
    for (const strange of ['0', '999999', '-1', 'x', '<b>'])
      assert.equal((await visitor.get(`${place(id)}?preparing=${strange}`)).headers.get('refresh'), null, strange)
    await service.runJobs()
    const ready = await visitor.get(`${place(id)}/read?file=${file_id}`)
    assert.equal(ready.headers.get('refresh'), null)
    assert.match(ready.text, /<button class="btn primary">Read<\/button>/)
    await open(visitor, id)
    // The download that was waited for did not count.
    const downloaded = await visitor.post(`${place(id)}/download`, { file_id })
    assert.match(downloaded.location ?? '', /^\/files\//)
  })

  test('shows the book on an origin of its own, whose policy lets no script of a book run', async () => {
    const { id, customer } = await ownBook(anEpub(), 'book.epub')
    const visitor = await enter(customer)
    const before = await visitor.get(`${place(id)}/read`)
    assert.equal(before.status, 200)
    assert.doesNotMatch(before.text, /<iframe/)
    const { host, path, policy } = await open(visitor, id)
    assert.match(host, /^reader-\d+\.localhost:\d+$/)
    assert.ok(policy.includes(`frame-src http://${host};`), policy)
    const page = await askHost(service.url, { host, path })
    assert.equal(page.status, 200, page.text)
    const own = page.headers.get('content-security-policy') ?? ''
    assert.match(own, /script-src 'self';/)
    assert.ok(own.endsWith(`frame-ancestors ${service.url}`), own)
    assert.equal(page.headers.get('cache-control'), 'private, no-store')
    // The pages of the shop are not there, and the book is not on the hosts of the shop.
    assert.equal((await askHost(service.url, { host, path: '/my-content' })).status, 404)
    assert.equal((await askHost(service.url, { host: new URL(service.url).host, path })).status, 404)
    const [, script = ''] = /src="(\/assets\/reader\/[^"]+)"/.exec(page.text) ?? []
    const asset = await askHost(service.url, { host, path: script })
    assert.equal(asset.status, 200)
    assert.match(asset.headers.get('cache-control') ?? '', /immutable/)
    for (const name of ['..%2f..%2fpackage.json', 'dict.js', 'cmaps/..%2f..%2fpackage.json'])
      assert.equal((await askHost(service.url, { host, path: script.replace('reader.js', name) })).status, 404, name)
  })

  test('gives out the parts of an EPUB one by one, as data', async () => {
    const { id, customer } = await ownBook(anEpub(), 'book.epub')
    const { host, path } = await open(await enter(customer), id)
    const { body } = await askHost(service.url, { host, path: `${path}/parts` })
    assert.ok(body['c2.xhtml'] > 1000)
    const part = await askHost(service.url, { host, path: `${path}/part?name=c2.xhtml` })
    assert.match(part.text, /Paragraph of chapter 2/)
    assert.equal(part.headers.get('content-type'), 'application/octet-stream')
    assert.equal(part.headers.get('content-security-policy'), "default-src 'none'; sandbox")
    assert.equal((await askHost(service.url, { host, path: `${path}/part?name=c9.xhtml` })).status, 404)
  })

  test('gives out a PDF by ranges', async () => {
    const bytes = await aPdf(3)
    const { id, customer } = await ownBook(bytes, 'book.pdf')
    const { host, path } = await open(await enter(customer), id)
    const part = await askHost(service.url, { host, path: `${path}/file`, headers: { range: 'bytes=0-6' } })
    assert.equal(part.status, 206)
    assert.equal(part.text, bytes.subarray(0, 7).toString())
    // The reader asks how long it is before it asks for parts.
    const head = await askHost(service.url, { host, path: `${path}/file`, method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(bytes.length)])
  })

  test('gives out a protected PDF in small parts only, and no faster than it is read', async () => {
    const bytes = Buffer.concat([await aPdf(3), Buffer.alloc(20_000_000, 32)])
    const files = [{ bytes, name: 'book.pdf' }]
    const product = { product_type: 16, drm_protected: true }
    const terms = { drm: 1, allow_play: 1 }
    const { id, customer } = await ownedContent(service, pages.shop, { files, product, terms })
    const { host, path } = await open(await enter(customer), id)
    const ask = (headers: Record<string, string>) => askHost(service.url, { host, path: `${path}/file`, headers })
    const whole = [
      {},
      { range: 'bytes=0-' },
      { range: 'bytes=-5000000' },
      { range: 'bytes=0-2000000' },
      { range: 'bytes=0-1,5-9000000' },
      { range: 'bytes=9-5' },
      { range: 'bytes=0-99', 'if-range': '"another"' },
    ]
    for (const headers of whole) assert.ok((await ask(headers as Record<string, string>)).text.length < 2000)
    for (const headers of whole.slice(0, 5)) assert.equal((await ask(headers as Record<string, string>)).status, 403)
    const statuses: number[] = []
    // A slow machine takes so long that more may be fetched meanwhile.
    for (let at = 0; at < 100 && !statuses.includes(429); at += 1)
      statuses.push((await ask({ range: `bytes=${(at % 18) * 1_000_000}-${((at % 18) + 1) * 1_000_000 - 1}` })).status)
    assert.deepEqual([...new Set(statuses)], [206, 429])
    assert.ok(statuses.length > 16)
    service.clock.advance(10)
    assert.equal((await ask({ range: 'bytes=0-99' })).status, 206)
  })

  test('ends with the entitlement, with the session, and with time', async () => {
    const { id, customer } = await ownBook(anEpub(), 'book.epub', { drm: 1, allow_play: 1, expire_after_first_use: 1 })
    const visitor = await enter(customer)
    const first = await open(visitor, id)
    const status = async ({ host, path }: { host: string; path: string }) =>
      (await askHost(service.url, { host, path: `${path}/part?name=c1.xhtml` })).status
    assert.equal(await status(first), 200)
    service.clock.advance(3600)
    assert.equal(await status(first), 403)
    assert.equal((await visitor.post(`${place(id)}/read`, {})).status, 403)
    assert.match((await visitor.get(`${place(id)}/read`)).text, /class="p-refused" role="alert"/)
    service.clock.advance(-3600)
    assert.equal(await status(first), 200)
    await visitor.post(`${pages.base}/logout`, {})
    assert.equal(await status(first), 403)
  })

  test('refuses forged and foreign addresses, and other customers', async () => {
    const { id, customer } = await ownBook(anEpub(), 'book.epub')
    const { host, path } = await open(await enter(customer), id)
    for (const forged of [`${path}x`, `${path.slice(0, -4)}AAAA`, '/read/x', `/read/${'A'.repeat(200)}`])
      assert.equal((await askHost(service.url, { host, path: forged })).status, 403, forged)
    service.clock.advance(7 * 3600)
    assert.equal((await askHost(service.url, { host, path })).status, 403)
    service.clock.advance(-7 * 3600)
    const stranger = await enter(await aCustomer(pages.shop))
    assert.equal((await stranger.get(`${place(id)}/read`)).status, 404)
    assert.equal((await stranger.post(`${place(id)}/read`, {})).status, 404)
    const guest = await pages.comeIn().get(`${place(id)}/read`)
    assert.match(guest.location ?? '', /\/login\?return_to=/)
  })

  test('opens a book on the host of its shop alone', async () => {
    const { id, customer } = await ownBook(anEpub(), 'book.epub')
    const { host, path } = await open(await enter(customer), id)
    const second = await aThemeSetting(pages.shop)
    const stranger = await baseOf(await service.openShop())
    for (const other of [second.id, stranger.split('/').at(-1), '1', '999999'])
      for (const part of ['', '/file', '/parts', '/part?name=c1.xhtml']) {
        const elsewhere = host.replace(/^reader-\d+/, `reader-${other}`)
        assert.equal((await askHost(service.url, { host: elsewhere, path: `${path}${part}` })).status, 403, part)
      }
    assert.equal((await askHost(service.url, { host: host.toUpperCase(), path })).status, 200)
  })

  test('is not there for a film', async () => {
    const { id, customer } = await ownBook(someVideo(), 'film.mp4')
    assert.equal((await (await enter(customer)).get(`${place(id)}/read`)).status, 404)
  })

  test('goes on where the customer stopped', async () => {
    const { id, customer, files } = await ownBook(anEpub(), 'book.epub')
    const visitor = await enter(customer)
    const file = String(files[0].id)
    await visitor.post(`${place(id)}/progress`, { file, place: 'epubcfi(/6/4!/4/10)', fraction: '0.4' })
    const { text } = await visitor.get(`${place(id)}/read`)
    assert.match(text, /data-position="epubcfi\(\/6\/4!\/4\/10\)"/)
    assert.match(text, /Continue reading/)
    const [row] = await service.db
      .selectFrom('content_positions')
      .select('fraction')
      .where('entitlement_id', '=', id)
      .execute()
    assert.ok(Math.abs((row?.fraction ?? 0) - 0.4) < 0.001)
  })
})

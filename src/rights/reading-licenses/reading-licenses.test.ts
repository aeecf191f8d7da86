import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anEpub, aPdf } from '#test/books.ts'
import { useService } from '#test/harness.ts'
import {
  aReadingApp,
  decrypt,
  decryptPlainly,
  encryptedFiles,
  fetchBytes,
  fetchJson,
  openLicense,
  unzip,
} from '#test/reading-app.ts'
import { aProtectedBook, aReadingLicense, askForLicense, licensesOf, passphraseOf } from '#test/reading-licenses.ts'
import { mirrorAll } from '#test/sales.ts'

const service = useService()
const DAY = 86_400

describe('a protected book', () => {
  test('opens in a reading app with the passphrase, and with no other', async () => {
    const { shop, id, customer } = await aProtectedBook(service)
    const license = await aReadingLicense(service, shop, id)
    assert.equal(license.status, 'ready')
    const { body: document, type } = await fetchJson(license.license_url)
    assert.equal(type, 'application/vnd.readium.lcp.license.v1.0+json')
    const passphrase = await passphraseOf(shop, customer)
    for (const wrong of ['something else', '', passphrase.toLowerCase()])
      await assert.rejects(openLicense(document, wrong), wrong)
    const opened = await openLicense(document, passphrase)
    const book = await fetchBytes(license.download_url)
    assert.deepEqual([book.status, book.headers['content-type']], [200, 'application/epub+zip'])
    assert.equal(book.bytes.toString('latin1', 30, 58), 'mimetypeapplication/epub+zip')
    const files = await unzip(book.bytes)
    assert.deepEqual(JSON.parse(String(files.get('META-INF/license.lcpl'))), document)
    const plain = await unzip(anEpub())
    const encrypted = encryptedFiles(files)
    assert.deepEqual([...encrypted.keys()].sort(), ['c1.xhtml', 'c2.xhtml', 'c3.xhtml'])
    for (const [path, how] of encrypted) {
      const sent = files.get(path) ?? Buffer.alloc(0)
      assert.ok(!sent.includes('Paragraph'), path)
      assert.deepEqual(await decrypt(opened, sent, how), plain.get(path), path)
      assert.deepEqual(decryptPlainly(opened.ContentKey, sent, how), plain.get(path), path)
    }
    for (const path of ['book.opf', 'nav.xhtml', 'META-INF/container.xml'])
      assert.deepEqual(files.get(path), plain.get(path), path)
  })

  test('is encrypted once for everybody, and each license opens it for its own customer alone', async () => {
    const first = await aProtectedBook(service)
    const second = await aProtectedBook(service, { shop: first.shop })
    const [one, other] = [
      await aReadingLicense(service, first.shop, first.id),
      await aReadingLicense(service, first.shop, second.id),
    ]
    const publication = async (url: string) => (await fetchJson(url)).body.links[0]
    assert.equal((await publication(one.license_url)).hash, (await publication(other.license_url)).hash)
    const { protected_publications } = (await first.shop.get('/api/protected_publications.json')).body
    assert.deepEqual(
      protected_publications.map(({ kind, status }: { kind: string; status: string }) => [kind, status]),
      [['epub', 'ready']],
    )
    const passphrase = await passphraseOf(first.shop, first.customer)
    assert.notEqual(passphrase, await passphraseOf(first.shop, second.customer))
    await assert.rejects(openLicense((await fetchJson(other.license_url)).body, passphrase))
    // What everybody gets is the publication without a license.
    const { href, length, hash } = await publication(one.license_url)
    const { bytes, headers } = await fetchBytes(href)
    assert.deepEqual([bytes.length, headers.etag], [length, `"${hash}"`])
    assert.equal((await unzip(bytes)).has('META-INF/license.lcpl'), false)
  })

  test('is downloaded in parts that fit, with its size before the first byte', async () => {
    const { shop, id } = await aProtectedBook(service)
    const { download_url } = await aReadingLicense(service, shop, id)
    const whole = await fetchBytes(download_url)
    assert.equal(Number(whole.headers['content-length']), whole.bytes.length)
    const middle = whole.bytes.length - 5000
    const [start, end] = [
      await fetchBytes(download_url, { range: `bytes=0-${middle - 1}` }),
      await fetchBytes(download_url, { range: `bytes=${middle}-`, 'if-range': String(whole.headers.etag) }),
    ]
    assert.deepEqual([start.status, end.status], [206, 206])
    assert.deepEqual(Buffer.concat([start.bytes, end.bytes]), whole.bytes)
    const last = await fetchBytes(download_url, { range: 'bytes=-10' })
    assert.deepEqual(last.bytes, whole.bytes.subarray(-10))
  })

  test('is given to nobody as it is', async () => {
    const { shop, id, customer, files } = await aProtectedBook(service)
    const file_id = files[0]?.id
    const asked = await shop.post(`/api/entitlements/${id}/download.json`, { download: { file_id } })
    assert.deepEqual([asked.status, asked.body.reason], [403, 'file_protected'])
    const player = await shop.asCustomer(customer.id)
    for (const method of ['GET', 'HEAD'])
      assert.equal(
        (await service.call(method, `/api/files/${file_id}/download`, { token: player.token })).status,
        403,
        method,
      )
    assert.equal((await shop.get(`/api/entitlements/${id}.json`)).body.entitlement.remaining.downloads, 2)
    // The company itself gets its file.
    assert.deepEqual(
      (await fetchBytes(`${service.url}/api/files/${file_id}/download`, { authorization: `Bearer ${shop.token}` }))
        .bytes,
      anEpub(),
    )
  })

  test('of another company opens for the customer of the shop that sold it', async () => {
    const { shop: owner } = await aProtectedBook(service)
    const seller = await service.openShop()
    const [mirror] = await mirrorAll(service, owner, seller)
    const { aBuyer, anOrder } = await import('#test/orders.ts')
    const customer = await aBuyer(seller)
    await anOrder(seller, customer, [{ product_id: mirror?.product_id, quantity: 1 }])
    const [owned] = (await seller.get(`/api/customers/${customer.token}/content.json`)).body.content
    const { license_url, download_url } = await aReadingLicense(service, seller, owned.id)
    await openLicense((await fetchJson(license_url)).body, await passphraseOf(seller, customer))
    assert.equal((await fetchBytes(download_url)).status, 200)
  })
})

describe('a protected PDF and a protected recording', () => {
  test('are packages with a manifest, encrypted by the same key as their license', async () => {
    const bytes = await aPdf(2)
    const { shop, id, customer } = await aProtectedBook(service, { files: [{ bytes, name: 'tern.pdf' }] })
    const { license_url, download_url } = await aReadingLicense(service, shop, id)
    const { body: document } = await fetchJson(license_url)
    assert.equal(document.links[0].type, 'application/pdf+lcp')
    const opened = await openLicense(document, await passphraseOf(shop, customer))
    const files = await unzip((await fetchBytes(download_url)).bytes)
    assert.deepEqual([...files.keys()], ['manifest.json', 'publication.pdf', 'license.lcpl'])
    const [part] = JSON.parse(String(files.get('manifest.json'))).readingOrder
    assert.equal(part.properties.encrypted.originalLength, bytes.length)
    const how = { method: 0, originalLength: bytes.length }
    assert.deepEqual(await decrypt(opened, files.get('publication.pdf') ?? Buffer.alloc(0), how), bytes)
  })

  test('have all tracks of a recording in one', async () => {
    const track = (fill: number) =>
      Buffer.concat([Buffer.from('ID3\u0004\u0000\u0000\u0000\u0000\u0000\u0000'), Buffer.alloc(3000 + fill, fill)])
    const files = [1, 2].map((fill) => ({ bytes: track(fill), name: `0${fill} Track.mp3` }))
    const { shop, id, customer } = await aProtectedBook(service, { files, product: { product_type: 24 } })
    const { license_url, download_url } = await aReadingLicense(service, shop, id)
    const { body: document } = await fetchJson(license_url)
    const opened = await openLicense(document, await passphraseOf(shop, customer))
    const sent = await unzip((await fetchBytes(download_url)).bytes)
    const manifest = JSON.parse(String(sent.get('manifest.json')))
    assert.deepEqual(
      manifest.readingOrder.map(({ title }: { title: string }) => title),
      ['01 Track', '02 Track'],
    )
    for (const [index, { href }] of manifest.readingOrder.entries()) {
      const bytes = files[index]?.bytes ?? Buffer.alloc(0)
      const plain = await decrypt(opened, sent.get(href) ?? Buffer.alloc(0), {
        method: 0,
        originalLength: bytes.length,
      })
      assert.deepEqual(plain, bytes)
    }
  })
})

describe('what a license says', () => {
  const rightsOf = async (terms: object) => {
    const { shop, id } = await aProtectedBook(service, { terms })
    const license = await aReadingLicense(service, shop, id)
    return { license, rights: (await fetchJson(license.license_url)).body.rights, shop, id }
  }

  test('prints as many pages as the license of the shop allows, and copies as much as is on them', async () => {
    const some = await rightsOf({ export_pdf_print: 1, burn_play: 3 })
    assert.deepEqual([some.rights.print, some.rights.copy], [3, 5400])
    assert.deepEqual([some.license.print, some.license.copy], [3, 5400])
    const none = await rightsOf({ export_pdf_print: 0, burn_play: 3 })
    assert.deepEqual([none.rights.print, none.rights.copy], [0, 0])
    const all = await rightsOf({ export_pdf_print: 1, burn_play: -1 })
    assert.deepEqual(['print' in all.rights, 'copy' in all.rights, all.license.print], [false, false, null])
  })

  test('begins with the purchase, so that a clock that was set back before it does not open it', async () => {
    const { rights, license, shop, id } = await rightsOf({})
    const { acquired_at } = (await shop.get(`/api/entitlements/${id}.json`)).body.entitlement
    assert.deepEqual([rights.start, license.starts_at], [`${acquired_at}Z`, acquired_at])
    assert.equal('end' in rights, false)
  })

  test('ends with the rental, whose time begins with the license', async () => {
    const { rights, license, shop, id } = await rightsOf({ expire_after_first_use: 48, expire_after_first_use_mode: 0 })
    const { first_used_at, ends_at } = (await shop.get(`/api/entitlements/${id}.json`)).body.entitlement
    assert.equal(rights.end, `${ends_at}Z`)
    assert.equal(Date.parse(rights.end) - Date.parse(`${first_used_at}Z`), 2 * DAY * 1000)
    service.clock.advance(2 * DAY)
    assert.equal((await fetchJson(license.status_url)).body.status, 'expired')
    for (const url of [license.license_url, license.download_url]) assert.equal((await fetchBytes(url)).status, 403)
  })

  test('opens on as many devices as the license of the shop allows', async () => {
    const { license, shop, id } = await rightsOf({ total_concurrent_devices: 2, annual_concurrent_devices: -1 })
    const status = async () => (await fetchJson(license.status_url)).body
    for (const name of ['one', 'two']) await aReadingApp(`device ${name}`, name).register(await status())
    // A device is counted once, however often it registers.
    await aReadingApp('device one', 'one').register(await status())
    const refused = await aReadingApp('device three', 'three')
      .register(await status())
      .catch((problem) => problem)
    assert.equal(refused.type, 'http://readium.org/license-status-document/error/registration')
    const { status: state, events } = await status()
    assert.deepEqual([state, events.map(({ name }: { name: string }) => name)], ['active', ['one', 'two']])
    const [shown] = await licensesOf(shop, id)
    assert.deepEqual(
      shown?.devices.map(({ name }: { name: string }) => name),
      ['one', 'two'],
    )
  })

  test('counts once, and asking again gives the same one', async () => {
    const { shop, id } = await aProtectedBook(service, { terms: { total_downloads: 1 } })
    const answers = await Promise.all([askForLicense(service, shop, id), askForLicense(service, shop, id)])
    const again = await askForLicense(service, shop, id)
    const ids = [...answers, again].map(({ body }) => body.reading_license?.id)
    assert.equal(new Set(ids).size, 1, JSON.stringify(ids))
    const { remaining } = (await shop.get(`/api/entitlements/${id}.json`)).body.entitlement
    assert.equal(remaining.downloads, 0)
  })

  test('is not given where the license of the shop allows no download, or has no DRM', async () => {
    const none = await aProtectedBook(service, { terms: { total_downloads: 0 } })
    const { body } = await askForLicense(service, none.shop, none.id)
    assert.deepEqual([body.reading_license, body.decision.code], [null, 'download_not_allowed'])
    const free = await aProtectedBook(service, { terms: { drm: 0 } })
    const refused = await askForLicense(service, free.shop, free.id)
    assert.deepEqual([refused.status, refused.body.reason], [409, 'not_for_reading_apps'])
    const download = await free.shop.post(`/api/entitlements/${free.id}/download.json`, { download: {} })
    assert.ok(download.body.download.url)
  })
})

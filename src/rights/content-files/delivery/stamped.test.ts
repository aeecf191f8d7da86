import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PDFDocument } from '@cantoo/pdf-lib'
import { request } from 'undici'
import { deleteUnusedCopies } from '#rights/stamping/make-copy.worker.ts'
import { PDF_DAMAGED } from '#rights/stamping/refusals.facts.ts'
import { aCustomer } from '#test/customers.ts'
import { aLicense, aPrice, aProduct, type Wire } from '#test/factories.ts'
import { type Answer, type Shop, useService } from '#test/harness.ts'
import { anOrder } from '#test/orders.ts'
import { mirrorAll } from '#test/sales.ts'
import { sha256, upload } from '#test/uploads.ts'

const service = useService()

async function aPdf(): Promise<Buffer> {
  const pdf = await PDFDocument.create()
  pdf.addPage()
  return Buffer.from(await pdf.save())
}

/** A book with one PDF, under a license with these terms. */
async function aBook(terms: object = {}, pdf?: Buffer) {
  const shop = await service.openShop()
  const license = await aLicense(service, shop, { total_downloads: 3, ...terms })
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 499 }] })
  const price_license_binding = [{ license_id: license.id, price_id: price.id }]
  const book = await aProduct(shop, { product_type: 16, published: true, price_license_binding })
  const bytes = pdf ?? (await aPdf())
  const file = await upload(service, shop, book, bytes, { name: 'walden.pdf' })
  return { shop, license, book, bytes, file }
}

type Sale = { shop: Shop; customer: Wire; order: Wire; entitlement: Wire }

async function buy(shop: Shop, book: Wire): Promise<Sale> {
  const customer = await aCustomer(shop, { first_name: 'Jane', last_name: 'Doe' })
  const order = await anOrder(shop, customer, [{ product_id: book.product_id, quantity: 1 }])
  const { content } = (await shop.get(`/api/customers/${customer.token}/content.json`)).body
  return { shop, customer, order, entitlement: content[0] }
}

/** Asks for a download while the worker works. */
async function download({ shop, entitlement }: Sale): Promise<Answer> {
  let answer: Answer | undefined
  const asked = shop.post(`/api/entitlements/${entitlement.id}/download.json`, { download: {} }).then((got) => {
    answer = got
  })
  while (answer === undefined) await Promise.race([asked, service.runJobs()])
  return answer
}

async function fetchFile(url: string) {
  const { statusCode, headers, body } = await request(url)
  return { status: statusCode, headers, bytes: Buffer.from(await body.arrayBuffer()) }
}

async function licensedTo(pdf: Buffer): Promise<string> {
  const { context } = await PDFDocument.load(pdf, { updateMetadata: false })
  const hex = /LicensedTo <FEFF([0-9A-F]+)>/.exec(String(context.lookup(context.trailerInfo.Info)))?.[1] ?? ''
  return Buffer.from(hex, 'hex').swap16().toString('utf16le')
}

async function downloadsLeft({ shop, entitlement }: Sale): Promise<number> {
  return (await shop.get(`/api/entitlements/${entitlement.id}.json`)).body.entitlement.remaining.downloads
}

test('a bought PDF names its buyer, and is what the answer says', async () => {
  const { shop, book, bytes } = await aBook()
  const sale = await buy(shop, book)
  const { status, body, text } = await download(sale)
  assert.equal(status, 200, text)
  const sent = await fetchFile(body.download.url)
  assert.equal(sent.status, 200)
  assert.match(await licensedTo(sent.bytes), new RegExp(`Jane Doe.*#${sale.order.id} `))
  assert.deepEqual([body.download.file.size, body.download.file.sha256], [sent.bytes.length, sha256(sent.bytes)])
  assert.equal(sent.headers.etag, `"${sha256(sent.bytes)}"`)
  assert.notEqual(sha256(sent.bytes), sha256(bytes))
  // The second time there is nothing to make.
  const again = await shop.post(`/api/entitlements/${sale.entitlement.id}/download.json`, { download: {} })
  assert.equal(again.body.download.file.sha256, body.download.file.sha256)
  assert.equal(await downloadsLeft(sale), 1)
})

test('the file of a license without stamp is delivered as it is', async () => {
  const { shop, book, bytes } = await aBook({ stamp: 0 })
  const { body } = await download(await buy(shop, book))
  assert.ok((await fetchFile(body.download.url)).bytes.equals(bytes))
})

test('a PDF that cannot be stamped is not delivered and not counted, until its owner turns stamping off', async () => {
  const cut = (await aPdf()).subarray(0, -20)
  const { shop, license, book } = await aBook({}, cut)
  const sale = await buy(shop, book)
  const { status, body } = await download(sale)
  assert.deepEqual([status, body.reason], [409, 'file_not_stampable'])
  assert.ok(body.error.includes(PDF_DAMAGED))
  assert.equal(await downloadsLeft(sale), 3)
  await service.db.updateTable('licenses').set({ stamp: 0 }).where('id', '=', license.id).execute()
  const { body: plain } = await download(sale)
  assert.ok((await fetchFile(plain.download.url)).bytes.equals(cut))
})

test('the PDF of a mirrored product names the buyer of the shop that sold it', async () => {
  const { shop: owner } = await aBook()
  const seller = await service.openShop()
  const [mirror] = await mirrorAll(service, owner, seller)
  const { status, body, text } = await download(await buy(seller, mirror))
  assert.equal(status, 200, text)
  assert.match(await licensedTo((await fetchFile(body.download.url)).bytes), /Jane Doe/)
})

test('a download that is refused makes no copy', async () => {
  const { shop, book } = await aBook()
  const sale = await buy(shop, book)
  assert.equal((await shop.post(`/api/entitlements/${sale.entitlement.id}/revoke.json`)).status, 200)
  const { status, body } = await download(sale)
  assert.deepEqual([status, body.download, body.decision.code], [200, null, 'withdrawn'])
  const copies = await service.db
    .selectFrom('stamped_files')
    .select('id')
    .where('company_id', '=', shop.companyId)
    .execute()
  assert.equal(copies.length, 0)
})

test('the copies of a customer whom the company has deleted are deleted with the name in them', async () => {
  const { shop, book } = await aBook()
  const sale = await buy(shop, book)
  assert.equal((await download(sale)).status, 200)
  const copies = () =>
    service.db.selectFrom('stamped_files').select('key').where('company_id', '=', shop.companyId).execute()
  const [copy] = await copies()
  await deleteUnusedCopies(service)
  assert.equal((await copies()).length, 1)
  assert.equal((await shop.delete(`/api/customers/${sale.customer.token}.json`)).status, 200)
  await deleteUnusedCopies(service)
  assert.deepEqual(await copies(), [])
  assert.equal(await service.files.exists(copy?.key ?? 'none'), false)
})

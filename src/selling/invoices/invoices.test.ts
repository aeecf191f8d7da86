import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { request } from 'undici'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { readMessages } from '#platform/text/messages.ts'
import { recordReport } from '#selling/payments/commands.ts'
import { findInstructions } from '#selling/payments/queries.ts'
import { startPayment } from '#selling/payments/start.commands.ts'
import { ownerPage } from '#test/admin.ts'
import { aPrice, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aWritingShop } from '#test/mails.ts'
import { aBuyer, aFilm, anOrder, aShippingMethod, readOrder, someGoods } from '#test/orders.ts'
import { contextOf, offer, placeToPay, workOf } from '#test/payments.ts'
import { textsOf } from '#test/pdf-text.ts'
import { cancel, refund } from '#test/sales.ts'
import { issueInvoice } from './commands.ts'

const service = useService()

/** A shop that sends bills. */
async function aShop(): Promise<{ shop: Shop; customer: Wire; film: Wire }> {
  const shop = await aWritingShop(service)
  await offer(service, shop, {
    manual: { enabled: true, instructions: 'IBAN DE02 1203 0000' },
    test: { enabled: true },
  })
  return { shop, customer: await aBuyer(shop), film: await aFilm(service, shop) }
}

async function pdfOf(shop: Shop, orderId: number): Promise<Buffer> {
  const url = `${service.url}/api/orders/${orderId}/invoice.pdf`
  const { statusCode, headers, body } = await request(url, { headers: { authorization: `Bearer ${shop.token}` } })
  assert.equal(statusCode, 200)
  assert.equal(headers['content-type'], 'application/pdf')
  return Buffer.from(await body.arrayBuffer())
}

async function documentsOf(shop: Shop, orderId: number): Promise<Wire[]> {
  return (await shop.get(`/api/orders/${orderId}/invoices.json`)).body.invoices
}

const issue = (shop: Shop, orderId: number) => shop.post(`/api/orders/${orderId}/invoice.json`)

/** Texts from outside may have a space that does not break. */
const plain = (texts: string[]) => texts.map((text) => text.replaceAll('\u00a0', ' '))

describe('an invoice', () => {
  test('is issued for an order of a shop, numbers it, and is mailed', async () => {
    const { shop, customer, film } = await aShop()
    const { orderId } = await placeToPay(service, shop, customer, [film], 'Manual')
    assert.equal((await shop.get(`/api/orders/${orderId}/invoice.pdf`)).status, 404)
    await service.runJobs()
    assert.equal((await readOrder(shop, orderId)).order_number, 'INV-0001')
    const [invoice] = await documentsOf(shop, orderId)
    assert.deepEqual(
      [invoice!.kind, invoice!.number, invoice!.total, invoice!.currency],
      ['invoice', 'INV-0001', 1190, 'EUR'],
    )
    const texts = plain(textsOf(await pdfOf(shop, orderId)))
    for (const expected of [
      'Books & Co GmbH',
      'Jane Roe',
      'Main Street 1',
      'Invoice INV-0001',
      'Germany',
      'VAT 19 %',
      '€10.00',
      '€1.90',
      '€11.90',
      'IBAN DE02 1203 0000',
    ])
      assert.ok(texts.includes(expected), `${expected} in ${texts.join(' | ')}`)
    assert.ok(texts.some((text) => text.startsWith('Please pay by ')))
    const mails = await service.db
      .selectFrom('mails')
      .select(['subject', 'text'])
      .where('recipient', '=', customer.email)
      .orderBy('id')
      .execute()
    const mail = mails.find(({ subject }) => subject?.startsWith('Invoice INV-0001'))
    const [, path] = /https:\/\/licet\.example(\/invoices\/\S+\.pdf)/.exec(mail?.text ?? '') ?? []
    const linked = await request(`${service.url}${path}`)
    assert.equal(linked.statusCode, 200)
    assert.ok((await pdfOf(shop, orderId)).equals(Buffer.from(await linked.body.arrayBuffer())))
    for (const wrong of [path!.replace(/.\.pdf$/, '.pdf'), path!.replace(/\/\d+\/\d+\//, '/1/1/')])
      assert.equal((await service.call('GET', wrong)).status, 404)
  })

  test('of an order that is paid says so, and never changes', async () => {
    const { shop, customer, film } = await aShop()
    const order = await anOrder(shop, customer, [film])
    assert.equal((await issue(shop, order.id)).status, 201)
    const before = await pdfOf(shop, order.id)
    assert.ok(textsOf(before).includes('Paid.'))
    await shop.put(`/api/companies/${shop.companyId}.json`, { company: { company_name: 'Another name' } })
    service.clock.advance(60)
    assert.equal((await issue(shop, order.id)).body.invoice.number, 'INV-0001')
    assert.ok(before.equals(await pdfOf(shop, order.id)))
  })

  test('is issued when a payment arrives, and not for a test, a gift or a cancelled order', async () => {
    const { shop, customer, film } = await aShop()
    const { payment, orderId } = await placeToPay(service, shop, customer, [film], 'Test')
    await startPayment(workOf(service), shop.companyId, payment.id, contextOf())
    const gift = await anOrder(shop, customer, [await aFilm(service, shop, 0)])
    const cancelled = await placeToPay(service, shop, customer, [film], 'Manual')
    await cancel(shop, cancelled.orderId)
    await service.runJobs()
    for (const id of [orderId, gift.id, cancelled.orderId]) {
      assert.deepEqual(await documentsOf(shop, id), [])
      assert.equal((await issue(shop, id)).body.reason, 'invoice_not_issuable')
    }
    const numbered = await anOrder(shop, customer, [film], { order_number: 'WC-7' })
    assert.equal((await issue(shop, numbered.id)).body.invoice.number, 'INV-0001')
    assert.equal((await readOrder(shop, numbered.id)).order_number, 'WC-7')
  })

  test('has a number without gaps, whoever asks at once and whatever is rolled back', async () => {
    const { shop, customer, film } = await aShop()
    const orders = await Promise.all(Array.from({ length: 6 }, () => anOrder(shop, customer, [film])))
    const crash = inTransaction(service.db, async (tx) => {
      await issueInvoice(tx, shop, String(orders[0]!.id), findInstructions, nowInSeconds(service.clock))
      throw new Error('the worker dies')
    })
    await assert.rejects(crash, /the worker dies/)
    await Promise.all(orders.flatMap(({ id }) => [issue(shop, id), issue(shop, id)]))
    const numbers = await Promise.all(
      orders.map(async ({ id }) => (await documentsOf(shop, id)).map(({ number }) => number)),
    )
    assert.deepEqual(
      numbers.flat().sort(),
      [1, 2, 3, 4, 5, 6].map((number) => `INV-000${number}`),
    )
  })

  test('shows several rates, and the text of a reverse charge', async () => {
    const { shop, film } = await aShop()
    const austrian = await aBuyer(shop, 'AT')
    const goods = await someGoods(service, shop)
    const mixed = await anOrder(shop, austrian, [film, goods])
    await issue(shop, mixed.id)
    const texts = plain(textsOf(await pdfOf(shop, mixed.id)))
    assert.ok(texts.includes('VAT 20 %') && texts.includes('VAT 19 %'), texts.join(' | '))
    const business = await anOrder(shop, austrian, [film], { vat_id: 'ATU62895905' })
    await issue(shop, business.id)
    const shown = plain(textsOf(await pdfOf(shop, business.id)))
    assert.ok(shown.includes('VAT ID: ATU62895905'))
    assert.ok(shown.some((text) => text.startsWith('Reverse charge')))
    assert.ok(shown.includes('VAT 0 %'), shown.join(' | '))
  })

  test('is wholly in the language of the customer, with its numbers and dates', async () => {
    const { shop, film } = await aShop()
    const buyer = await aBuyer(shop, 'AT', { language: 'fr' })
    const order = await anOrder(shop, buyer, [film], { vat_id: 'ATU62895905', po_number: 'B-7' })
    await issue(shop, order.id)
    const texts = textsOf(await pdfOf(shop, order.id)).map((text) => text.replace(/\s/g, ' '))
    for (const expected of [
      'Facture INV-0001',
      'N° de TVA : ATU62895905',
      'Autriche',
      'Quantité',
      'TVA 0 %',
      '9,92 €',
      'Total TTC',
      'Payée.',
      'Autoliquidation : la TVA est due par le preneur.',
    ])
      assert.ok(texts.includes(expected), `${expected} in ${texts.join(' | ')}`)
    assert.ok(
      texts.some((text) => /^\d{1,2}(er)? \p{Ll}+ \d{4}$/u.test(text)),
      texts.join(' | '),
    )
    const french = readMessages('fr')
    for (const [key, english] of readMessages('en'))
      if (key.startsWith('invoices.') && french.get(key) !== english && !english.includes('{'))
        assert.ok(!texts.includes(english), english)
  })

  test('has no text over another, however long the texts and the amounts are', async () => {
    const { shop, customer } = await aShop()
    const film = await aFilm(service, shop, 1_234_567_890, { title: 'W'.repeat(255) })
    const po_number = 'Purchase order of the department for films '.repeat(3).slice(0, 100).trim()
    const order = await anOrder(shop, customer, [film], { po_number })
    await issue(shop, order.id)
    const pieces = (await piecesOf(await pdfOf(shop, order.id))).flat().filter(({ text }) => text.trim() !== '')
    assert.ok(pieces.length > 20)
    for (const one of pieces) {
      assert.ok(one.left >= 55 && one.right <= 542, `${one.text} is in the margin`)
      const over = pieces.find(
        (other) => other !== one && other.y === one.y && other.left < one.right && one.left < other.right,
      )
      assert.equal(over, undefined, `${over?.text} is over ${one.text}`)
    }
  })

  test('goes on over pages, and writes names in the letters of their scripts', async () => {
    const { shop, customer, film: plainFilm } = await aShop()
    const title = 'Жуков и Παπαδόπουλος: Łukasz 山田 राम 한'
    const film = await aFilm(service, shop, 100, { title })
    const order = await anOrder(
      shop,
      customer,
      Array.from({ length: 70 }, () => film),
    )
    await issue(shop, order.id)
    const pdf = await pdfOf(shop, order.id)
    const pages = await pagesOf(pdf)
    const lines = pages.flat().filter((text) => text.startsWith('Жуков и Παπαδόπουλος: Łukasz 山田 राम'))
    assert.equal(lines.length, 70, pages.flat().slice(0, 40).join(' | '))
    assert.equal(pages.flat().join('').split('한').length, 71)
    assert.ok(pages.length > 2)
    for (const [index, texts] of pages.entries()) {
      assert.ok(texts.includes(`${index + 1} / ${pages.length}`), texts.join(' | '))
      assert.ok(texts.includes('Item'), 'a page of the table has no heading')
    }
    // A document that needs no font of its own is small.
    const other = await anOrder(shop, customer, [plainFilm])
    await issue(shop, other.id)
    assert.ok((await pdfOf(shop, other.id)).length < 4000)
  })
})

type Piece = { text: string; left: number; right: number; y: number }

/** The texts of each page as a PDF reader sees them, and where. */
async function piecesOf(pdf: Buffer): Promise<Piece[][]> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise
  const pages = Array.from({ length: document.numPages }, async (_, index) => {
    const { items } = await (await document.getPage(index + 1)).getTextContent()
    return items.flatMap((item) => {
      if (!('str' in item)) return []
      const [left, y]: number[] = item.transform.slice(-2)
      return left === undefined || y === undefined ? [] : [{ text: item.str, left, right: left + item.width, y }]
    })
  })
  return Promise.all(pages)
}

async function pagesOf(pdf: Buffer): Promise<string[][]> {
  return (await piecesOf(pdf)).map((pieces) => pieces.map(({ text }) => text))
}

describe('a credit note', () => {
  test('corrects the invoice by what was refunded, once for each refund', async () => {
    const { shop, customer, film } = await aShop()
    const goods = await someGoods(service, shop)
    const order = await anOrder(shop, customer, [film, goods])
    await refund(shop, order.id, { refund_line_items: [{ line_item_id: order.line_items[0].id }] })
    await service.runJobs()
    assert.deepEqual(await documentsOf(shop, order.id), [])
    await issue(shop, order.id)
    await service.runJobs()
    await refund(shop, order.id, { amount: 100 })
    await service.runJobs()
    const documents = await documentsOf(shop, order.id)
    assert.deepEqual(
      documents.map(({ kind, number, total }) => [kind, number, total]),
      [
        ['invoice', 'INV-0001', 3570],
        ['credit_note', 'CN-0001', 1190],
        ['credit_note', 'CN-0002', 100],
      ],
    )
    const rows = await service.db
      .selectFrom('invoices')
      .select('pdf')
      .where('company_id', '=', shop.companyId)
      .where('kind', '=', 'credit_note')
      .orderBy('id')
      .execute()
    const [first = [], second = []] = rows.map(({ pdf }) => plain(textsOf(pdf)))
    assert.ok(first.includes('Credit note CN-0001') && first.includes('INV-0001') && first.includes('€1.90'))
    assert.ok(second.includes('Refund') && second.includes('€0.84') && second.includes('€0.16'))
  })
})

describe('an order of several tax classes', () => {
  test('has an invoice and a credit note with a tax for each rate, on its goods and its shipping', async () => {
    const { shop, customer } = await aShop()
    const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 500 }] })
    await aShippingMethod(service, shop, { title: 'Parcel', price_id: price.id })
    const mug = await someGoods(service, shop)
    const book = await someGoods(service, shop, undefined, { title: 'Printed book', tax_class: 'reduced' })
    const order = await anOrder(shop, customer, [mug, book])
    await issue(shop, order.id)
    await refund(shop, order.id, { all: true })
    await service.runJobs()
    const rows = await service.db
      .selectFrom('invoices')
      .select('pdf')
      .where('company_id', '=', shop.companyId)
      .orderBy('id')
      .execute()
    assert.equal(rows.length, 2)
    for (const { pdf } of rows) {
      const text = plain(textsOf(pdf)).join(' | ')
      // Half of the shipping is taxed like the mug, half like the book.
      for (const part of ['19 % | €2.10 | €2.50', '7 % | €2.34 | €2.50', 'VAT 19 % | €4.20 | VAT 7 % | €1.72'])
        assert.ok(text.includes(part), `${part} in ${text}`)
    }
  })
})

describe('a bill that is cancelled before it is paid', () => {
  test('is corrected as a whole, once, and the customer hears that it is void', async () => {
    const { shop, customer, film } = await aShop()
    const { orderId } = await placeToPay(service, shop, customer, [film], 'Manual')
    await service.runJobs()
    await cancel(shop, orderId)
    await cancel(shop, orderId)
    await service.runJobs()
    const documents = await documentsOf(shop, orderId)
    assert.deepEqual(
      documents.map(({ kind, number, total, refund_id }) => [kind, number, total, refund_id]),
      [
        ['invoice', 'INV-0001', 1190, null],
        ['credit_note', 'CN-0001', 1190, null],
      ],
    )
    const { pdf } = await service.db
      .selectFrom('invoices')
      .select('pdf')
      .where('company_id', '=', shop.companyId)
      .where('kind', '=', 'credit_note')
      .executeTakeFirstOrThrow()
    const texts = plain(textsOf(pdf))
    for (const expected of ['Credit note CN-0001', 'INV-0001', '€10.00', '€1.90', '€11.90'])
      assert.ok(texts.includes(expected), `${expected} in ${texts.join(' | ')}`)
    const { text } = await service.db
      .selectFrom('mails')
      .select('text')
      .where('recipient', '=', customer.email)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.match(text ?? '', /The bill is void: you no longer have to pay it\./)
  })

  test('gets no second credit note when its money arrives after all and goes back', async () => {
    const { shop, customer, film } = await aShop()
    const { orderId, payment } = await placeToPay(service, shop, customer, [film], 'Manual')
    await service.runJobs()
    await cancel(shop, orderId)
    const report = { kind: 'paid', amountCents: 1190, currency: 'EUR', reference: null } as const
    const now = nowInSeconds(service.clock)
    await inTransaction(service.db, (tx) => recordReport(tx, shop.companyId, payment.id, report, now))
    await refund(shop, orderId, { all: true })
    await service.runJobs()
    assert.deepEqual(
      (await documentsOf(shop, orderId)).map(({ kind }) => kind),
      ['invoice', 'credit_note'],
    )
  })
})

describe('the invoice settings', () => {
  test('are changed by who has read them, also where nobody has changed them before', async () => {
    const page = await ownerPage(service, await service.openShop())
    const etag = (await page.get('/invoice_settings.json')).headers.get('etag') ?? ''
    const change = (prefix: string) =>
      page.call(
        'PUT',
        '/invoice_settings.json',
        { invoice_settings: { prefix } },
        { origin: service.url, 'if-match': etag },
      )
    assert.equal((await change('A-')).status, 200)
    assert.equal((await change('B-')).status, 412)
  })

  test('change the next documents', async () => {
    const { shop, customer, film } = await aShop()
    const page = await ownerPage(service, shop)
    const put = (invoice_settings: object) => page.put('/invoice_settings.json', { invoice_settings })
    const defaults = await page.get('/invoice_settings.json')
    assert.deepEqual(defaults.body.invoice_settings, {
      prefix: 'INV-',
      credit_prefix: 'CN-',
      vat_id: '',
      payment_days: 14,
      check_vat_ids: false,
      note: '',
    })
    const wrong = await put({ vat_id: 'DE123' })
    assert.deepEqual([wrong.status, wrong.body.reason], [422, 'seller_vat_id_invalid'])
    const answer = await put({ prefix: '2031/', vat_id: 'DE 136695976', note: 'HRB 4711' })
    assert.equal(answer.body.invoice_settings.vat_id, 'DE136695976')
    const order = await anOrder(shop, customer, [film])
    assert.equal((await issue(shop, order.id)).body.invoice.number, '2031/0001')
    const texts = textsOf(await pdfOf(shop, order.id))
    assert.ok(texts.includes('VAT ID: DE136695976') && texts.includes('HRB 4711'))
  })
})

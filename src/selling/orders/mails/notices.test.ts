import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createShippingMethod } from '#selling/shipping-methods/commands.ts'
import { anOffer, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { useMailServer } from '#test/mail-server.ts'
import {
  aBook,
  aFilm,
  aReader,
  aWritingShop,
  contentOf,
  type MailContents,
  mailsTo,
  nameShop,
  order,
  payBack,
  ship,
} from '#test/mails.ts'

const server = useMailServer()
const service = useService({ smtpUrl: server.listening })

beforeEach(() => {
  server.received.length = 0
})

/** What came to the customer beside the confirmation. */
async function noticesTo({ email }: Wire): Promise<MailContents[]> {
  const letters = (await mailsTo(service, server, email)).map(contentOf)
  return letters.filter(
    ({ subject }) =>
      !/^(Your order|Ihre Bestellung) #\d+ (at|bei) [^#]*$/.test(subject) || /way|unterwegs|cancelled/.test(subject),
  )
}

async function onlyNotice(customer: Wire): Promise<MailContents> {
  const [letter, ...others] = await noticesTo(customer)
  assert.ok(letter)
  assert.deepEqual(others, [])
  for (const part of [letter.text, letter.words]) assert.doesNotMatch(part, /undefined|null|NaN|\[object/)
  return letter
}

async function emailOf(shop: Shop): Promise<string> {
  return (await shop.get(`/api/companies/${shop.companyId}.json`)).body.company.email
}

describe('the mail about a refund', () => {
  test('says how much was paid back for what, and keeps the note to the shop', async () => {
    const shop = await aWritingShop(service)
    await nameShop(shop, [{ language_id: 'de', shop_name: 'Bücher & Co' }])
    const film = await aFilm(service, shop, { locales: [{ language_id: 'de', title: 'Der lange Heimweg' }] })
    const jane = await aReader(shop, { language: 'de' })
    const bought = await order(shop, jane, [{ ...film, quantity: 3 }, await aBook(service, shop)])
    await payBack(shop, bought, {
      amount: 4760,
      lines: [
        [0, 2],
        [1, 1],
      ],
      note: 'Kunde nervt',
    })
    const { subject, text, words, raw, received } = await onlyNotice(jane)
    assert.equal(subject, `Erstattung zu Ihrer Bestellung #${bought.id} bei Bücher & Co`)
    assert.equal(received.email.from?.name, 'Bücher & Co')
    assert.equal(received.email.replyTo?.[0]?.address, await emailOf(shop))
    for (const part of [text, words]) {
      assert.match(part, /Wir haben Ihnen 47,60 € zu Ihrer Bestellung #\d+ vom .* erstattet\./)
      assert.match(part, /2 × Der lange Heimweg\s+(- )?Paper & Ink/)
      assert.match(part, /Books & Co GmbH/)
    }
    assert.doesNotMatch(raw, /nervt/)
  })

  test('lists nothing where only money was paid back, and names no amount where there was none', async () => {
    const shop = await aWritingShop(service)
    const jane = await aReader(shop)
    const bought = await order(shop, jane, [await aFilm(service, shop)], { test: true })
    await payBack(shop, bought, { amount: 100 })
    await payBack(shop, bought, { amount: 0, lines: [[0, 1]] })
    const letters = await noticesTo(jane)
    assert.equal(letters.length, 3)
    const [money, goods] = letters
      .filter(({ subject }) => /Refund/.test(subject))
      .sort((one) => (/refunded/.test(one.text) ? -1 : 1))
    assert.match(money?.text ?? '', /We have refunded €1\.00 for your order/)
    assert.doesNotMatch(money?.text ?? '', /Given back/)
    assert.match(goods?.text ?? '', /We have taken back items of your order/)
    assert.match(goods?.text ?? '', /^- The Long Way Home$/m)
    assert.doesNotMatch(goods?.text ?? '', /€/)
    for (const letter of [money, goods]) assert.match(letter?.subject ?? '', /^\[Test\] Refund/)
  })

  test('is not written of a refund that is not there', async () => {
    const shop = await aWritingShop(service)
    const other = await aWritingShop(service)
    const [jane, john] = [await aReader(shop), await aReader(other)]
    const film = await aFilm(service, other)
    const bought = await order(other, john, [film])
    await payBack(other, bought, { amount: 100 })
    // The same numbers, by another company's word.
    await service.db
      .updateTable('jobs')
      .set({ company_id: shop.companyId })
      .where('company_id', '=', other.companyId)
      .execute()
    assert.deepEqual([await noticesTo(john), await noticesTo(jane)], [[], []])
  })
})

describe('the mail about a cancellation', () => {
  test('says what was cancelled, once, and nothing if the customer wants no mails', async () => {
    const shop = await aWritingShop(service)
    const jane = await aReader(shop)
    const bought = await order(shop, jane, [{ ...(await aFilm(service, shop)), quantity: 2 }])
    const quiet = await order(shop, jane, [await aFilm(service, shop)], { customer_notification: 0 })
    for (const { id } of [bought, bought, quiet]) {
      assert.equal((await shop.delete(`/api/orders/${id}.json`)).status, 200)
    }
    const { subject, text } = await onlyNotice(jane)
    assert.match(subject, new RegExp(`^Your order #${bought.id} at .* was cancelled$`))
    assert.match(text, new RegExp(`We have cancelled your order #${bought.id} of `))
    assert.match(text, /2 × The Long Way Home/)
  })
})

describe('the mail about a shipment', () => {
  async function shippedBy(method: object, parcel: object, language = 'en'): Promise<MailContents> {
    const shop = await aWritingShop(service)
    await inTransaction(service.db, (tx) =>
      createShippingMethod(tx, shop, { title: 'Parcel', ...method }, nowInSeconds(service.clock)),
    )
    const book = await aBook(service, shop)
    const jane = await aReader(shop, { language })
    const bought = await order(shop, jane, [{ ...book, quantity: 2 }, await aFilm(service, shop)])
    await ship(service, shop, bought, parcel)
    return onlyNotice(jane)
  }

  const tracking_url = 'https://parcels.example/follow?number={tracking_number}'

  test('says what comes, where to, and how to follow it', async () => {
    const letter = await shippedBy({ tracking_company: 'Swift', tracking_url }, { tracking_number: 'A 1&2' })
    assert.match(letter.subject, /^Your order #\d+ at .* is on its way$/)
    const link = 'https://parcels.example/follow?number=A%201%262'
    assert.match(letter.text, new RegExp(`^Track the parcel:\\n${link.replace('?', '\\?')}$`, 'm'))
    assert.ok(letter.html.replaceAll('&#61;', '=').includes(`<a href="${link}" style=`), letter.html)
    for (const part of [letter.text, letter.words]) {
      for (const said of ['Carrier: Swift', 'Tracking number: A 1&2', '2 × Paper & Ink', 'Hauptstr. 1', 'Germany'])
        assert.ok(part.includes(said), said)
      assert.doesNotMatch(part, /Long Way Home/, 'a film is not shipped')
    }
  })

  test('is sent by the change that ships, once', async () => {
    const shop = await aWritingShop(service)
    const jane = await aReader(shop)
    const { id } = await order(shop, jane, [await aBook(service, shop)])
    const fulfillment = { status: 100, tracking_number: 'A1' }
    for (let times = 0; times < 2; times += 1) {
      const answer = await shop.put(`/api/fulfillments/${id}.json`, { fulfillment })
      assert.equal(answer.status, 200, answer.text)
    }
    assert.match((await onlyNotice(jane)).text, /^Tracking number: A1$/m)
  })

  test('has no button where nothing can be followed', async () => {
    for (const [method, parcel] of [
      [{}, {}],
      [{ tracking_url }, {}],
      [{ tracking_company: 'Swift' }, { tracking_number: 'A1' }],
      [
        { tracking_company: 'Swift' },
        { tracking_number: 'A1', tracking_template: 'javascript:alert({tracking_number})' },
      ],
    ] as const) {
      const { html, text } = await shippedBy(method, parcel)
      assert.doesNotMatch(html, /<a |javascript/)
      assert.doesNotMatch(text, /Track the parcel|https?:/)
    }
    assert.match((await shippedBy({}, {}, 'de')).text, /^- 2 × Paper & Ink$/m)
  })

  test('is not written of what is not shipped, or of an order that is void by then', async () => {
    const shop = await aWritingShop(service)
    const book = await aBook(service, shop)
    const jane = await aReader(shop)
    const waiting = await order(shop, jane, [book])
    const cancelled = await order(shop, jane, [book])
    await service.runJobs()
    await shop.put(`/api/fulfillments/${waiting.id}.json`, { fulfillment: { tracking_number: 'X1' } })
    await ship(service, shop, cancelled)
    await shop.delete(`/api/orders/${cancelled.id}.json`)
    assert.match((await onlyNotice(jane)).subject, /was cancelled$/)
  })
})

describe('the warning of a low stock', () => {
  test('goes to the owner in its language, once, when the level is crossed', async () => {
    const levels = { inventory_management_active: true, warn_at_stock_level_below: 3 }
    const shop = await aWritingShop(service, { ...levels, language: 'de' })
    const book = await aBook(service, shop, { manage_stock: true, items_in_stock: 4 })
    const jane = await aReader(shop)
    await order(shop, jane, [book])
    assert.deepEqual(await mailsTo(service, server, await emailOf(shop)), [])
    await order(shop, jane, [{ ...book, quantity: 2 }])
    await order(shop, jane, [book])
    const [received, ...others] = await mailsTo(service, server, await emailOf(shop))
    assert.ok(received)
    assert.deepEqual(others, [])
    const { subject, text, words } = contentOf(received)
    assert.equal(subject, 'Geringer Bestand: Paper & Ink')
    for (const part of [text, words]) {
      assert.match(part, /Von Paper & Ink ist nur noch ein Stück da\./)
      assert.ok(part.includes(book.product_id))
    }
    assert.deepEqual([received.email.from?.name, received.email.replyTo], ['Licet', undefined])
  })

  test('goes to the owner of a product that others sell', async () => {
    const owner = await aWritingShop(service, { inventory_management_active: true, warn_at_stock_level_below: 1 })
    const seller = await aWritingShop(service)
    await aBook(service, owner, { manage_stock: true, items_in_stock: 1 })
    const entry = await anOffer(service, owner)
    const added = await seller.post(`/api/marketplace/${entry}/activate.json`)
    assert.equal(added.status, 201, added.text)
    const jane = await aReader(seller)
    await order(seller, jane, [{ product_id: added.body.products[0].product_id }])
    const [received] = await mailsTo(service, server, await emailOf(owner))
    assert.match(contentOf(received!).text, /^Paper & Ink is sold out\.$/m)
    assert.deepEqual(await mailsTo(service, server, await emailOf(seller)), [])
  })
})

import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createDiscountCode } from '#selling/discount-codes/commands.ts'
import { createShippingMethod } from '#selling/shipping-methods/commands.ts'
import { anOffer, aPrice, usePictureHost, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { useMailServer } from '#test/mail-server.ts'
import {
  aBook,
  aFilm,
  aReader,
  assertShowsPictures,
  aWritingShop,
  contentOf,
  HOME,
  mailsTo,
  mailTo,
  nameShop,
  order,
} from '#test/mails.ts'

const server = useMailServer()
const pictures = usePictureHost()
const service = useService({ smtpUrl: server.listening })

beforeEach(() => {
  server.received.length = 0
})

const NAMES = [
  { language_id: 'en', shop_name: 'Books & Co' },
  { language_id: 'de', shop_name: 'Bücher & Co' },
]

/** Shipping costs 4.99, and a discount code takes off ten percent. */
async function addWaysToPay(shop: Shop): Promise<void> {
  const { id: price_id } = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 499 }] })
  await inTransaction(service.db, async (tx) => {
    const now = nowInSeconds(service.clock)
    await createShippingMethod(tx, shop, { title: 'Parcel', price_id }, now)
    await createDiscountCode(tx, shop, { code: 'SPRING', type: 'percentage', amount: 10 }, now)
  })
}

describe('the confirmation of an order', () => {
  test('shows the pictures of the products', async () => {
    const shop = await aWritingShop(service)
    const film = await aFilm(service, shop, { images: [{ src: pictures.url('/film.png') }] })
    const jane = await aReader(shop)
    await service.runJobs()
    await order(shop, jane, [film, await aFilm(service, shop)])
    const { html } = await mailTo(service, server, jane.email)
    await assertShowsPictures(service, html, 1)
  })

  test('comes from the shop, says the same in both parts, and answers go to the company', async () => {
    const shop = await aWritingShop(service)
    await nameShop(shop, NAMES)
    await addWaysToPay(shop)
    const film = await aFilm(service, shop)
    const book = await aBook(service, shop)
    const jane = await aReader(shop)
    const { id } = await order(shop, jane, [film, { ...book, quantity: 3 }], {
      order_number: 'R-1',
      po_number: 'PO-7',
      discount_codes: [{ code: 'spring' }],
    })
    const { subject, text, words, received } = await mailTo(service, server, jane.email)
    assert.equal(subject, `Your order #${id} at Books & Co`)
    assert.deepEqual(received.email.from, { name: 'Books & Co', address: 'no-reply@licet.example' })
    const { body } = await shop.get(`/api/companies/${shop.companyId}.json`)
    assert.deepEqual(received.email.replyTo, [{ name: '', address: body.company.email }])
    const date = new Date().toLocaleDateString('en-DE', { dateStyle: 'long', timeZone: 'UTC' })
    const said = [
      'Hello Jane Roe,',
      'Thank you for your order. Yours to keep. On 5 devices at a time.',
      'Watch now',
      `Order #${id}`,
      date,
      'Invoice number: R-1',
      'Your purchase order: PO-7',
      'The Long Way Home',
      'Buy',
      'Yours to keep. On 5 devices at a time. 10 downloads a year.',
      '3 × Paper & Ink',
      'Subtotal',
      '€83.30',
      'Discount (SPRING)',
      '-€8.33',
      'Shipping (Parcel)',
      '€4.99',
      'Without VAT',
      '€67.19',
      'VAT 19 % on €67.19',
      '€12.77',
      'Total',
      '€79.96',
      'View your receipt',
      'Shipping address',
      'Hauptstr. 1',
      '10115 Berlin',
      'Germany',
      'Books & Co GmbH',
      'Am Markt 2',
      '20095 Hamburg',
    ]
    let at = 0
    for (const piece of said) {
      const found = words.indexOf(piece, at)
      assert.ok(found >= at, `"${piece}" is not in its place:\n${words}`)
      assert.ok(text.includes(piece), `"${piece}" is not in\n${text}`)
      at = found
    }
    assert.match(text, /^The Long Way Home is ready to watch$/m)
    assert.match(text, /^- The Long Way Home: €11\.90\n {2}Buy\n {2}Yours to keep\. .*\n- 3 × Paper & Ink: €71\.40$/m)
    assert.match(text, /^VAT 19 % on €67\.19: €12\.77\nTotal: €79\.96$/m)
    assert.doesNotMatch(`${text}${words}`, /undefined|null|NaN|\[object/)
  })

  test('speaks the language of the customer, with the titles of the shop in it, or English', async () => {
    const shop = await aWritingShop(service)
    await nameShop(shop, NAMES)
    const locales = [
      { language_id: 'en', title: 'The Long Way Home', email_text: '<p>Enjoy</p>' },
      { language_id: 'de', title: 'Der lange Heimweg', email_text: '<p>Viel Spaß</p>' },
      { language_id: 'nl', title: 'De lange weg naar huis', email_text: '' },
    ]
    const film = await aFilm(service, shop, { locales })
    const bare = await aFilm(service, shop, {
      title: 'Bare',
      locales: [{ language_id: 'fr', email_text: 'Bonne vue' }],
    })
    const said: Record<string, RegExp[]> = {
      en: [/^Your order #\d+ at Books & Co$/, /^- The Long Way Home: €11\.90$/m, /^Enjoy$/m],
      de: [/^Ihre Bestellung #\d+ bei Bücher & Co$/, /^- Der lange Heimweg: 11,90 €$/m, /^Viel Spaß$/m],
      pt: [/^A sua encomenda #\d+ em Books & Co$/, /^- The Long Way Home: 11,90 €$/m, /^Enjoy$/m],
      es: [/^Su pedido #\d+ en Books & Co$/, /^- The Long Way Home: 11,90 €$/m, /^Enjoy$/m],
      it: [/^Il suo ordine #\d+ presso Books & Co$/, /^- The Long Way Home: 11,90 €$/m, /^Enjoy$/m],
      fr: [/^Votre commande #\d+ chez Books & Co$/, /^- The Long Way Home: 11,90 €$/m, /^Enjoy$/m],
      nl: [/^Your order #\d+ at Books & Co$/, /^- De lange weg naar huis: /m, /^Bonne vue$/m],
      ZH: [/^Your order #\d+ at Books & Co$/, /^- The Long Way Home: /m, /^Enjoy$/m],
    }
    for (const [language, [subject, title, text] = []] of Object.entries(said)) {
      const jane = await aReader(shop, { language })
      await order(shop, jane, [film, bare])
      const letter = await mailTo(service, server, jane.email)
      assert.match(letter.subject, subject!)
      assert.match(letter.text, title!)
      assert.match(letter.text, text!, letter.text)
      assert.match(letter.text, /^- Bare: /m)
      assert.equal(letter.text.match(/^Bonne vue$/gm)?.length, 1)
      const own = Object.hasOwn(said, language) && !/nl|ZH/.test(language) ? language : 'en'
      assert.match(letter.html, new RegExp(`<html lang="${own}" dir="ltr">`))
      assert.doesNotMatch(letter.text, /undefined|null|NaN|\[object/)
    }
  })

  test('has the name of the company where the shop has none, and greets a customer without a name', async () => {
    const shop = await aWritingShop(service)
    await nameShop(shop, [{ language_id: 'en', shop_name: '' }])
    const jane = await aReader(shop, { first_name: '', last_name: '' })
    await order(shop, jane, [await aFilm(service, shop)])
    const { subject, text, received } = await mailTo(service, server, jane.email)
    assert.match(subject, /at Books & Co GmbH$/)
    assert.equal(received.email.from?.name, 'Books & Co GmbH')
    assert.match(text, /^Hello,$/m)
  })

  test('of a test says so, in the subject and in the text', async () => {
    const shop = await aWritingShop(service)
    const jane = await aReader(shop, { language: 'de' })
    await order(shop, jane, [await aFilm(service, shop)], { test: true })
    const { subject, text, words } = await mailTo(service, server, jane.email)
    assert.match(subject, /^\[Test\] Ihre Bestellung/)
    for (const part of [text, words]) assert.match(part, /Dies ist ein Test/)
  })

  test('has the codes, and no address where nothing is shipped', async () => {
    const shop = await aWritingShop(service)
    const jane = await aReader(shop)
    const bought = await order(shop, jane, [await aFilm(service, shop)], { generate_codes: true })
    const { text, words } = await mailTo(service, server, jane.email)
    const [{ code }] = bought.line_items
    assert.match(code, /^[A-Z2-9]{4}(-[A-Z2-9]{4}){3}$/)
    for (const part of [text, words]) {
      assert.ok(part.includes(`Code: ${code}`))
      assert.match(part, /Whoever has a code/)
      assert.doesNotMatch(part, /Hauptstr|Shipping/)
    }
  })

  test('says what there is to say of a product once, and of one that is not released that it is not', async () => {
    const shop = await aWritingShop(service)
    const film = await aFilm(service, shop, {
      published_at: '2100-01-01T00:00:00',
      pre_sales: true,
      locales: [{ language_id: 'en', title: 'Soon', email_text: 'Some patience, please' }],
    })
    const jane = await aReader(shop)
    await order(shop, jane, [film, { ...film, quantity: 2 }])
    const { text, words } = await mailTo(service, server, jane.email)
    for (const part of [text, words]) {
      assert.equal(part.match(/Some patience, please/g)?.length, 1)
      assert.equal(part.match(/Not yet released/g)?.length, 2)
    }
  })

  test('counts yen as yen, and cents as cents', async () => {
    const shop = await aWritingShop(service)
    const amounts: Record<string, [number, RegExp]> = {
      JPY: [10000, /Total: (JP)?¥100$/m],
      USD: [123_456_789, /Total: US\$1,234,567\.89$|Total: \$1,234,567\.89$/m],
    }
    for (const [currency, [price, total]] of Object.entries(amounts)) {
      const film = await aFilm(service, shop, {}, { currencies: [{ currency: currency.toLowerCase(), price }] })
      const jane = await aReader(shop, { addresses: [{ ...HOME, country: 'United States', zip: '10001' }] })
      await order(shop, jane, [film], { currency })
      const { text } = await mailTo(service, server, jane.email)
      assert.match(text, total)
      assert.doesNotMatch(text, /VAT/, 'there is no tax on what leaves the union')
    }
  })

  test('of an order with 250 lines has all of them', async () => {
    const shop = await aWritingShop(service)
    const locales = [{ language_id: 'en', title: 'Film', email_text: `<p>${'Long text. '.repeat(5900)}</p>` }]
    const films: Wire[] = []
    for (let index = 0; index < 10; index += 1)
      films.push(await aFilm(service, shop, { title: `Film ${index}`, locales }))
    const jane = await aReader(shop)
    await order(
      shop,
      jane,
      Array.from({ length: 250 }, (_, index) => films[index % 10]),
    )
    const { text, html, words } = await mailTo(service, server, jane.email)
    assert.equal(text.match(/^- Film: /gm)?.length, 250)
    assert.equal(html.match(/<tbody[\s\S]*<\/tbody>/)?.[0].match(/<tr>/g)?.length, 250)
    assert.match(text, /^Total: €2,975\.00$/m)
    // Seven texts of 65 KB fit, and the mail says that there would be more.
    assert.equal(text.match(/^Film\n----$/gm)?.length, 7)
    for (const part of [text, words]) assert.match(part, /more to say about these items than fits/)
    assert.ok(html.length < 1_000_000, `${html.length} characters`)
  })

  test('of a product that was deleted in the meantime has the title that was bought', async () => {
    const shop = await aWritingShop(service)
    const film = await aFilm(service, shop, {
      locales: [{ language_id: 'en', title: 'In English', email_text: 'Enjoy' }],
    })
    const jane = await aReader(shop)
    await order(shop, jane, [film])
    assert.equal((await shop.delete(`/api/products/${film.id}.json`)).status, 200)
    const { text } = await mailTo(service, server, jane.email)
    assert.match(text, /^- The Long Way Home: €11\.90$/m)
    assert.doesNotMatch(text, /Enjoy/)
  })
})

test('of a product that is mirrored, the shop says what its owner says, and only to buyers', async () => {
  const owner = await aWritingShop(service)
  const seller = await aWritingShop(service)
  await nameShop(seller, NAMES)
  const film = await aFilm(service, owner, {
    locales: [{ language_id: 'en', title: 'Of another', email_text: 'Sign in <i>there</i>' }],
  })
  const taken = await seller.post(`/api/marketplace/${await anOffer(service, owner)}/activate.json`)
  assert.equal(taken.status, 201, taken.text)
  const jane = await aReader(seller)
  await order(seller, jane, [{ product_id: taken.body.products[0].product_id }])
  const { subject, text } = await mailTo(service, server, jane.email)
  assert.match(subject, /at Books & Co$/)
  assert.match(text, /^- Of another: €11\.90$/m)
  assert.match(text, /^Sign in there$/m)
  const mirror = await seller.get(`/api/products/${taken.body.products[0].id}.json`)
  assert.equal(mirror.body.product.locales[0].title, 'Of another')
  assert.equal(mirror.body.product.locales[0].email_text, '')
  assert.doesNotMatch((await seller.get('/api/products.json')).text, /Sign in/)

  // A product from before there were stored mail texts has them all the same.
  await service.db.updateTable('products').set({ mail_texts: null }).where('company_id', '=', owner.companyId).execute()
  const jim = await aReader(seller)
  await order(seller, jim, [{ product_id: taken.body.products[0].product_id }])
  assert.match((await mailTo(service, server, jim.email)).text, /^Sign in there$/m)

  // A change of the text alone reaches the next buyer.
  const locales = [{ language_id: 'en', email_text: 'Sign in <i>here</i>' }]
  assert.equal((await owner.put(`/api/products/${film.id}.json`, { product: { locales } })).status, 200)
  const joe = await aReader(seller)
  await order(seller, joe, [{ product_id: taken.body.products[0].product_id }])
  assert.match((await mailTo(service, server, joe.email)).text, /^Sign in here$/m)
})

describe('no confirmation', () => {
  test('goes out unless the order is confirmed, and then one does', async () => {
    const shop = await aWritingShop(service)
    const jane = await aReader(shop)
    const bought = await order(shop, jane, [await aFilm(service, shop)], { confirmed: false })
    assert.deepEqual(await mailsTo(service, server, jane.email), [])
    const confirm = (confirmed: boolean) => shop.put(`/api/orders/${bought.id}.json`, { order: { confirmed } })
    // Taken back before the worker comes to it.
    await confirm(true)
    await confirm(false)
    assert.deepEqual(await mailsTo(service, server, jane.email), [])
    await confirm(true)
    assert.match((await mailTo(service, server, jane.email)).subject, /^Your order/)
  })

  test('goes out if notifications are off', async () => {
    const shop = await aWritingShop(service)
    const jane = await aReader(shop)
    await order(shop, jane, [await aFilm(service, shop)], { customer_notification: 0 })
    assert.deepEqual(await mailsTo(service, server, jane.email), [])
  })

  test('goes out of an order that is cancelled by then, or to a customer who is erased by then', async () => {
    const shop = await aWritingShop(service)
    const film = await aFilm(service, shop)
    const [jane, john] = [await aReader(shop), await aReader(shop)]
    const bought = await order(shop, jane, [film])
    await order(shop, john, [film])
    assert.equal((await shop.delete(`/api/orders/${bought.id}.json`)).status, 200)
    assert.equal((await shop.delete(`/api/customers/${john.token}.json`)).status, 200)
    const subjects = (await mailsTo(service, server, jane.email)).map((mail) => contentOf(mail).subject)
    assert.deepEqual(subjects.length, 1)
    assert.match(subjects[0]!, /was cancelled$/)
    assert.deepEqual(await mailsTo(service, server, john.email), [])
    const jobs = await service.db.selectFrom('jobs').select('kind').where('company_id', '=', shop.companyId).execute()
    assert.deepEqual(jobs, [])
  })
})

describe('the confirmation that is sent again', () => {
  const again = (shop: Shop, { id }: Wire) => shop.post(`/api/orders/${id}/send_confirmation.json`)

  test('reaches the customer, also one who was not to be notified, and the activity says who sent it', async () => {
    const shop = await aWritingShop(service)
    const jane = await aReader(shop)
    const bought = await order(shop, jane, [await aFilm(service, shop)], { customer_notification: 0 })
    const answer = await again(shop, bought)
    assert.deepEqual([answer.status, answer.body], [200, {}])
    const letters = await mailsTo(service, server, jane.email)
    assert.deepEqual(
      letters.map((letter) => /^Your order/.test(contentOf(letter).subject)),
      [true],
    )
    const entries = await service.db
      .selectFrom('audit_entries')
      .select(['action', 'subject'])
      .where('company_id', '=', shop.companyId)
      .where('action', '=', 'order confirmation sent again')
      .execute()
    assert.deepEqual(
      entries.map(({ subject }) => subject),
      [`order #${bought.id}`],
    )
    const { timeline } = (await shop.get(`/api/orders/${bought.id}/timeline.json`)).body
    assert.deepEqual(
      timeline.map(({ kind }: Wire) => kind),
      ['placed', 'paid', 'confirmation_sent_again', 'mailed'],
    )
    assert.match(timeline.at(-1).text, /^Your order/)
  })

  test('does not exist of an order that is cancelled or not confirmed, or of another company', async () => {
    const shop = await aWritingShop(service)
    const film = await aFilm(service, shop)
    const jane = await aReader(shop)
    const [cancelled, open] = [await order(shop, jane, [film]), await order(shop, jane, [film], { confirmed: false })]
    assert.equal((await shop.delete(`/api/orders/${cancelled.id}.json`)).status, 200)
    for (const each of [cancelled, open]) {
      const { status, body } = await again(shop, each)
      assert.deepEqual([status, body.reason], [409, 'order_not_confirmed'])
    }
    const stranger = await service.openShop()
    assert.equal((await again(stranger, open)).status, 404)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCustomer, anEmail } from '#test/customers.ts'
import { aPrice, aProduct, BUY, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aDiscountCode, aFilm, aShippingMethod, readOrder, someGoods } from '#test/orders.ts'
import { offer } from '#test/payments.ts'
import { type PageAnswer, type Visitor, visit } from '#test/visitor.ts'

const service = useService()
const OURS = { 'sec-fetch-site': 'same-origin', 'accept-language': 'en' }
const CARDS = { pays: '4242 4242 4242 4242', fails: '4000 0000 0000 0002', asks: '4000 0000 0000 3220' }
const HOME = { first_name: 'Jane', last_name: 'Roe', address1: 'Main Street 1', zip: '10115', city: 'Berlin' }

/** Bills instead of test cards. */
const takeBills = ({ shop }: Open) =>
  offer(service, shop, { test: { enabled: false }, manual: { enabled: true, instructions: 'Bank DE00 1234' } })

type Open = { shop: Shop; id: number; base: string; guest: () => Visitor }

/** A shop that takes test cards and bills. */
async function open(): Promise<Open> {
  service.app.baseUrl = service.url
  const shop = await service.openShop()
  await offer(service, shop, { test: { enabled: true } })
  const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
  return { shop, id, base: `/shop/${id}`, guest: () => visit(service.url, OURS) }
}

async function put(visitor: Visitor, base: string, product: Wire, more: Record<string, string> = {}) {
  const answer = await visitor.post(`${base}/cart`, { product_id: product.product_id, ...more })
  assert.equal(answer.status, 303, answer.text)
  return visitor.follow(answer)
}

async function tell(visitor: Visitor, base: string, details: Record<string, string>): Promise<PageAnswer> {
  await visitor.get(`${base}/checkout`)
  return visitor.follow(await visitor.submit(`${base}/checkout`, { country: 'DE', ...details }))
}

async function pay(visitor: Visitor, base: string, fields: Record<string, string> = {}): Promise<PageAnswer> {
  const answer = await visitor.submit(`${base}/checkout/pay`, { gateway: 'Test', card: CARDS.pays, ...fields })
  return visitor.follow(answer)
}

/** The texts of the mails to somebody. */
async function mailsTo(email: string): Promise<string[]> {
  const mails = await service.db
    .selectFrom('mails')
    .select('text')
    .where('recipient', '=', email)
    .orderBy('id')
    .execute()
  return mails.map(({ text }) => text ?? '')
}

const orderIdOn = ({ text }: PageAnswer) => Number(/Order #(\d+)/.exec(text)?.[1])
const heading = ({ text }: PageAnswer) => /<h1[^>]*>([^<]*)/.exec(text)?.[1]

async function contentOf({ shop }: Open, order: Wire): Promise<Wire[]> {
  return (await shop.get(`/api/customers/${order.customer.token}/content.json`)).body.content
}

describe('a stranger', () => {
  test('buys a film with a test card, and owns it at once', async () => {
    const at = await open()
    const film = await aFilm(service, at.shop)
    const guest = at.guest()
    const cart = await put(guest, at.base, film)
    assert.match(cart.text, /11\.90/)
    const email = anEmail()
    const payPage = await tell(guest, at.base, { email })
    assert.match(payPage.text, /I agree that delivery starts before/)
    assert.doesNotMatch(payPage.text, /id="now"[^>]*checked/)
    const page = await pay(guest, at.base, { now: '1' })
    assert.equal(heading(page), 'Thank you, it is yours')
    const order = await readOrder(at.shop, orderIdOn(page))
    assert.deepEqual(
      [order.source_name, order.gateway, order.financial_status, order.test, order.email, order.total_price],
      ['webshop', 'Test', 'paid', true, email, 1190],
    )
    assert.equal(order.withdrawal.consented, true)
    assert.match(order.withdrawal.text, /^I agree that delivery starts/)
    const [owned] = await contentOf(at, order)
    assert.equal(owned?.state, 'active')
    await service.runJobs()
    const [mail] = await mailsTo(email)
    assert.match(mail ?? '', /I agree that delivery starts before the 14-day withdrawal period ends/)
    assert.match((await guest.get(`${at.base}/cart`)).text, /Your cart is empty/)
  })

  test('who does not agree to start at once can use it in two weeks', async () => {
    const at = await open()
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop))
    await tell(guest, at.base, { email: anEmail() })
    const page = await pay(guest, at.base)
    assert.match(page.text, /You can use it from /)
    const order = await readOrder(at.shop, orderIdOn(page))
    assert.equal(order.withdrawal.consented, false)
    const [owned] = await contentOf(at, order)
    assert.deepEqual([owned?.state, owned?.starts_at], ['not_started', order.withdrawal.usable_from])
    const played = () =>
      at.shop.post(`/api/entitlements/${owned?.id}/check.json`, { check: { action: 'play', device: 'a' } })
    assert.equal((await played()).body.decision.allowed, false)
    service.clock.advance(15 * 86_400)
    const later = { ...at, shop: await at.shop.asUser(at.shop.userId) }
    assert.equal((await contentOf(later, order))[0]?.state, 'active')
    service.clock.advance(-15 * 86_400)
  })

  test('outside the EU, and a company, is not asked', async () => {
    const at = await open()
    const film = await aFilm(service, at.shop)
    for (const details of [{ country: 'US' }, { country: 'DE', company: 'Roe Ltd', vat_id: 'DE136695976' }]) {
      const guest = at.guest()
      await put(guest, at.base, film)
      const page = await tell(guest, at.base, { email: anEmail(), ...details })
      assert.doesNotMatch(page.text, /I agree that delivery/)
    }
  })

  test('whose card is declined pays the same order with another', async () => {
    const at = await open()
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop))
    await tell(guest, at.base, { email: anEmail() })
    const declined = await pay(guest, at.base, { card: CARDS.fails })
    assert.equal(heading(declined), 'Pay for your order')
    assert.match(declined.text, /The payment was declined\. Nothing was charged\./)
    const id = orderIdOn(declined)
    assert.equal((await readOrder(at.shop, id)).financial_status, 'pending')
    const second = await guest.follow(await guest.submit(/\/pay$/, { gateway: 'Test', card: CARDS.asks }))
    assert.match(second.text, /Confirm the payment/)
    const refused = await guest.follow(await guest.submit(/\/second-step$/, { answer: 'refuse' }))
    assert.match(refused.text, /was declined/)
    await guest.follow(await guest.submit(/\/pay$/, { gateway: 'Test', card: CARDS.asks }))
    const paid = await guest.follow(await guest.submit(/\/second-step$/, { answer: 'approve' }))
    assert.equal(heading(paid), 'Thank you, it is yours')
    assert.deepEqual([orderIdOn(paid), (await readOrder(at.shop, id)).financial_status], [id, 'paid'])
  })

  test('who pays by bill waits until the owner has the money', async () => {
    const at = await open()
    await takeBills(at)
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop))
    await tell(guest, at.base, { email: anEmail() })
    const page = await pay(guest, at.base, { gateway: 'Manual', now: '1' })
    assert.match(page.text, /Waiting for payment/)
    assert.match(page.text, /Bank DE00 1234/)
    const order = await readOrder(at.shop, orderIdOn(page))
    assert.deepEqual([order.financial_status, order.test, order.confirmed], ['pending', false, false])
    assert.notEqual((await contentOf(at, order))[0]?.state, 'active')
    assert.equal((await at.shop.post(`/api/orders/${order.id}/mark_paid.json`)).status, 200)
    assert.equal((await contentOf(at, order))[0]?.state, 'active')
  })

  test('can use what was bought in this browser, and sees nothing else of the address', async () => {
    const at = await open()
    const [film, other] = [await aFilm(service, at.shop), await aFilm(service, at.shop, 500, { title: 'Secret' })]
    const { email, token } = await aCustomer(at.shop)
    const guest = at.guest()
    await put(guest, at.base, film)
    await tell(guest, at.base, { email })
    const page = await pay(guest, at.base, { now: '1' })
    await at.shop.post('/api/orders.json', {
      order: { customer_token: token, line_items: [{ product_id: other.product_id }] },
    })
    const shelf = await guest.get(`${at.base}/my-content`)
    assert.ok(shelf.text.includes(film.title), shelf.text)
    assert.doesNotMatch(shelf.text, /Secret/)
    const owned = await contentOf(at, await readOrder(at.shop, orderIdOn(page)))
    const secret = owned.find(({ title }) => title === 'Secret')
    for (const path of [`my-content/${secret?.id}`, `my-content/${secret?.id}/play`])
      assert.equal((await guest.get(`${at.base}/${path}`)).status, 404, path)
    for (const path of ['account', 'account/export', 'account/orders', 'account/delete'])
      assert.match((await guest.get(`${at.base}/${path}`)).location ?? '', /\/login\?/, path)
    assert.doesNotMatch((await guest.get(`${at.base}/`)).text, new RegExp(email))
    await put(guest, at.base, other)
    await tell(guest, at.base, { email })
    await pay(guest, at.base, { now: '1' })
    assert.match((await guest.get(`${at.base}/my-content`)).text, /Secret/)
  })

  test('changes nothing that the company knows of a customer', async () => {
    const at = await open()
    const mug = await someGoods(service, at.shop)
    const { email, token } = await aCustomer(at.shop)
    const guest = at.guest()
    await put(guest, at.base, mug)
    await tell(guest, at.base, { email, ...HOME })
    const order = await readOrder(at.shop, orderIdOn(await pay(guest, at.base, { card: CARDS.fails })))
    assert.equal(order.shipping_address.city, 'Berlin')
    assert.deepEqual((await at.shop.get(`/api/customers/${token}.json`)).body.customer.addresses, [])
  })

  test('cannot order without end', async () => {
    const at = await open()
    const [film, email] = [await aFilm(service, at.shop), anEmail()]
    let last: PageAnswer | undefined
    for (let orders = 0; orders < 12; orders += 1) {
      const guest = at.guest()
      await put(guest, at.base, film)
      await tell(guest, at.base, { email })
      last = await pay(guest, at.base, { card: CARDS.fails })
    }
    assert.match(last?.text ?? '', /Too many orders were placed from here/)
    service.clock.advance(86_400)
  })
})

describe('a company', () => {
  test('with a VAT id of another country pays no tax, and one with a wrong id is told', async () => {
    const at = await open()
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop))
    for (const vat_id of ['DE123', 'FR40303265045', 'DE136695975'])
      assert.equal((await tell(guest, at.base, { email: anEmail(), company: 'Roe', vat_id })).status, 422, vat_id)
    const page = await tell(guest, at.base, {
      email: anEmail(),
      country: 'FR',
      company: 'Roe',
      vat_id: 'FR 40 303265045',
    })
    assert.match(page.text, /Reverse charge: you owe the VAT/)
    const order = await readOrder(at.shop, orderIdOn(await pay(guest, at.base)))
    assert.deepEqual([order.vat_id, order.reverse_charge, order.total_tax], ['FR40303265045', true, 0])
  })
})

describe('goods', () => {
  test('need an address, are shipped at a price, and cannot be bought twice when one is left', async () => {
    const at = await open()
    const mug = await someGoods(service, at.shop, 1)
    const price = await aPrice(service, at.shop, { currencies: [{ currency: 'eur', price: 490 }] })
    await aShippingMethod(service, at.shop, { title: 'Parcel', price_id: price.id, countries: ['DE'] })
    const [one, other] = [at.guest(), at.guest()]
    for (const guest of [one, other]) await put(guest, at.base, mug)
    const wrong = await tell(one, at.base, { email: anEmail() })
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /id="address1-e"/)
    for (const guest of [one, other]) await tell(guest, at.base, { email: anEmail(), ...HOME })
    const [first, second] = [await pay(one, at.base), await pay(other, at.base)]
    const order = await readOrder(at.shop, orderIdOn(first))
    assert.deepEqual(
      [order.total_price, order.shipping_lines[0].title, order.shipping_address.city],
      [2870, 'Parcel', 'Berlin'],
    )
    // Test orders take nothing out of the stock, so both are sold.
    assert.equal(heading(second), 'Thank you, it is yours')
    await takeBills(at)
    const [third, fourth] = [at.guest(), at.guest()]
    const results: PageAnswer[] = []
    for (const guest of [third, fourth]) {
      await put(guest, at.base, mug)
      await tell(guest, at.base, { email: anEmail(), ...HOME })
    }
    for (const guest of [third, fourth]) results.push(await pay(guest, at.base, { gateway: 'Manual' }))
    assert.equal(heading(results[0] as PageAnswer), 'Thank you for your order')
    assert.match(results[1]?.text ?? '', /cannot be bought in your country, or not any more|not enough in stock/)
  })
})

describe('a country', () => {
  test('that the shop does not serve can be changed again', async () => {
    const at = await open()
    await aShippingMethod(service, at.shop, { title: 'Parcel', countries: ['DE'] })
    const mug = await someGoods(service, at.shop)
    const guest = visit(service.url, { ...OURS, 'accept-language': 'en-US' })
    const cart = await put(guest, at.base, mug)
    assert.equal(cart.status, 200)
    assert.match(cart.text, /We do not sell or ship this to the country/)
    const changed = await guest.follow(await guest.submit(`${at.base}/cart/country`, { country: 'DE' }))
    assert.match(changed.text, /23\.80/)
    const refused = await tell(guest, at.base, { email: anEmail(), country: 'FR', ...HOME })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /id="country-e"/)
    const served = await tell(guest, at.base, { email: anEmail(), ...HOME })
    assert.equal(heading(served), 'How would you like to pay?')
  })
})

describe('the cart and its order', () => {
  test('take a discount code, and say when one cannot be used', async () => {
    const at = await open()
    await aDiscountCode(service, at.shop, { code: 'SPRING', type: 'percentage', amount: 50 })
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop))
    const bad = await guest.follow(await guest.submit(`${at.base}/cart/discount`, { code: 'NONE' }))
    assert.match(bad.text, /This discount code cannot be used/)
    assert.match(bad.text, /11\.90/)
    const good = await guest.follow(await guest.submit(`${at.base}/cart/discount`, { code: 'spring' }))
    assert.match(good.text, /5\.95/)
    await tell(guest, at.base, { email: anEmail() })
    const order = await readOrder(at.shop, orderIdOn(await pay(guest, at.base)))
    assert.deepEqual([order.total_price, order.discount_codes[0].code], [595, 'SPRING'])
  })

  test('are placed once, however often the button is pressed', async () => {
    const at = await open()
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop))
    await tell(guest, at.base, { email: anEmail() })
    const fields = { total: '1190', gateway: 'Test', card: CARDS.pays }
    const answers = await Promise.all(Array.from({ length: 5 }, () => guest.post(`${at.base}/checkout/pay`, fields)))
    for (const answer of answers) assert.ok([303, 422].includes(answer.status), answer.text)
    const { count } = (await at.shop.get('/api/orders/count.json')).body
    assert.equal(count, 1)
    const again = await guest.post(`${at.base}/checkout/pay`, fields)
    assert.match(again.location ?? '', /\/orders\/\d+-/)
  })

  test('do not sell at another price than was shown', async () => {
    const at = await open()
    const price = await aPrice(service, at.shop, { currencies: [{ currency: 'eur', price: 1000 }] })
    const film = await aProduct(at.shop, {
      published: true,
      price_license_binding: [{ license_id: BUY, price_id: price.id }],
    })
    const guest = at.guest()
    await put(guest, at.base, film)
    await tell(guest, at.base, { email: anEmail() })
    const page = await guest.submit(`${at.base}/checkout/pay`, { total: '900', gateway: 'Test', card: CARDS.pays })
    assert.equal(page.status, 422)
    assert.match(page.text, /The price has changed/)
    assert.equal((await at.shop.get('/api/orders/count.json')).body.count, 0)
  })

  test('drop what is no longer sold, and sell nothing of it', async () => {
    const at = await open()
    const [film, other] = [await aFilm(service, at.shop), await aFilm(service, at.shop, 500)]
    const guest = at.guest()
    await put(guest, at.base, film)
    await put(guest, at.base, other)
    await at.shop.put(`/api/products/${film.product_id}.json`, { product: { published: false } })
    const cart = await guest.get(`${at.base}/cart`)
    assert.match(cart.text, /cannot be bought in your country, or not any more/)
    assert.equal((await guest.get(`${at.base}/checkout`)).location, `${at.base}/cart`)
    const mended = await guest.follow(await guest.post(`${at.base}/cart/lines`, { line: '0', remove: '1' }))
    assert.doesNotMatch(mended.text, /not any more/)
    assert.equal((await guest.get(`${at.base}/checkout`)).status, 200)
  })

  test('cost nothing and need no payment, if everything is free', async () => {
    const at = await open()
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop, 0))
    const page = await tell(guest, at.base, { email: anEmail() })
    assert.doesNotMatch(page.text, /name="gateway"/)
    assert.equal(heading(await pay(guest, at.base, { now: '1' })), 'Thank you, it is yours')
  })

  test('are seen by nobody without the secret of the order', async () => {
    const [at, stranger] = [await open(), await open()]
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop))
    await tell(guest, at.base, { email: anEmail() })
    const answer = await guest.submit(`${at.base}/checkout/pay`, { gateway: 'Test', card: CARDS.pays })
    const path = answer.location ?? ''
    assert.equal((await at.guest().get(path)).status, 200)
    const [id] = path.slice(path.lastIndexOf('/') + 1).split('-')
    for (const wrong of [
      path.replace(at.base, stranger.base),
      `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`,
      `${at.base}/orders/${id}`,
      `${at.base}/orders/${id}-`,
      `${at.base}/orders/1-${'A'.repeat(22)}`,
    ])
      assert.equal((await at.guest().get(wrong)).status, 404, wrong)
  })

  test('refuse forms of other sites, and any nonsense', async () => {
    const at = await open()
    const film = await aFilm(service, at.shop)
    const foreign = visit(service.url, { 'sec-fetch-site': 'cross-site' })
    assert.equal((await foreign.post(`${at.base}/cart`, { product_id: film.product_id })).status, 403)
    const guest = at.guest()
    for (const fields of [
      {},
      { product_id: 'x' },
      { product_id: '0'.repeat(64) },
      { product_id: '0001-0001-0001-0001' },
    ]) {
      const answer = await guest.post(`${at.base}/cart`, fields)
      assert.equal(answer.location, `${at.base}/cart?refused=1`)
    }
    assert.equal((await guest.post(`${at.base}/cart`, { product_id: 'A'.repeat(64_000) })).status, 422)
    await put(guest, at.base, film)
    for (const fields of [
      { line: '-1', quantity: '5' },
      { line: '7', remove: '1' },
      { line: 'x' },
      { line: '0', quantity: '1e9' },
    ])
      assert.equal((await guest.post(`${at.base}/cart/lines`, fields as Record<string, string>)).status, 303)
    for (const email of ['', 'x', 'a@b', `${'a'.repeat(200)}@example.com`])
      assert.equal((await tell(guest, at.base, { email })).status, 422, email)
    assert.equal((await tell(guest, at.base, { email: anEmail(), country: 'XX' })).status, 422)
  })
})

describe('a gift', () => {
  test('goes to the recipient by mail when it is paid, and nothing to the buyer', async () => {
    const at = await open()
    await takeBills(at)
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop))
    const [email, recipient] = [anEmail(), anEmail()]
    const gift = { is_gift: '1', gift_email: recipient, gift_name: 'Ann', gift_message: 'Enjoy!' }
    const page = await tell(guest, at.base, { email, ...gift })
    assert.match(page.text, new RegExp(recipient))
    const done = await pay(guest, at.base, { gateway: 'Manual' })
    const order = await readOrder(at.shop, orderIdOn(done))
    await service.runJobs()
    assert.equal((await mailsTo(recipient)).length, 0, 'not paid yet')
    assert.equal((await at.shop.post(`/api/orders/${order.id}/mark_paid.json`)).status, 200)
    service.clock.advance(600)
    await service.runJobs()
    const [mail] = await mailsTo(recipient)
    assert.match(mail ?? '', /Enjoy!/)
    assert.match(mail ?? '', new RegExp(order.line_items[0].code))
    const shop = await at.shop.asUser(at.shop.userId)
    assert.deepEqual(await contentOf({ ...at, shop }, order), [])
  })
})

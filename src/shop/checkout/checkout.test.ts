import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { statementCount } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import {
  CARDS,
  contentOf,
  HOME,
  heading,
  mailsTo,
  OURS,
  openCheckout,
  orderIdOn,
  pay,
  put,
  takeBills,
  tell,
} from '#test/checkout.ts'
import { aCustomer, anEmail, CUSTOMER_PASSWORD } from '#test/customers.ts'
import { aPrice, BUY } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { untilWaiting } from '#test/in-line.ts'
import { aDiscountCode, aFilm, aShippingMethod, readOrder, someGoods } from '#test/orders.ts'
import { type PageAnswer, visit } from '#test/visitor.ts'

const service = useService()

describe('goods', () => {
  test('are shipped as the customer chooses, who sees what each way costs', async () => {
    const at = await openCheckout(service)
    const mug = await someGoods(service, at.shop)
    const price = async (cents: number) =>
      (await aPrice(service, at.shop, { currencies: [{ currency: 'eur', price: cents }] })).id
    const days = { delivery_days_min: 2, delivery_days_max: 4 }
    const parcel = { title: 'Parcel', price_id: await price(490), countries: ['DE', 'FR'], ...days }
    await aShippingMethod(service, at.shop, parcel)
    await aShippingMethod(service, at.shop, { title: 'Express', price_id: await price(1490), countries: ['DE'] })
    await aShippingMethod(service, at.shop, { title: 'Boat', price_id: await price(90), countries: ['NO'] })
    const guest = at.guest()
    await put(guest, at.base, mug)
    const details = { email: anEmail(), ...HOME, shipping_method: 'Express' }
    await tell(guest, at.base, details)
    const { text } = await guest.get(`${at.base}/checkout`)
    const offered = [...text.matchAll(/name="shipping_method"[^>]*value="([^"]*)"( checked)?>[^€]*€([\d.]+)/g)]
    assert.deepEqual(
      offered.map(([, ...offer]) => offer),
      [
        ['Parcel', undefined, '4.90'],
        ['Express', ' checked', '14.90'],
      ],
    )

    // Another country may not be reached that way: the first one that leads there takes its place.
    const elsewhere = await tell(guest, at.base, { ...details, country: 'FR' })
    assert.match(elsewhere.text, /<dt>Parcel <span[^>]*>Delivered in 2 to 4 days\.<\/span><\/dt><dd>€4\.90/)
    await tell(guest, at.base, details)
    const order = await readOrder(at.shop, orderIdOn(await pay(guest, at.base)))
    assert.deepEqual([order.shipping_lines[0].title, order.total_price], ['Express', 3870])
  })

  test('can still be ordered when the chosen way to ship them is gone', async () => {
    const at = await openCheckout(service)
    const mug = await someGoods(service, at.shop)
    await aShippingMethod(service, at.shop, { title: 'Parcel' })
    const express = await aShippingMethod(service, at.shop, { title: 'Express' })
    const guest = at.guest()
    await put(guest, at.base, mug)
    await tell(guest, at.base, { email: anEmail(), ...HOME, shipping_method: 'Express' })
    await at.shop.delete(`/api/shipping_methods/${express.id}.json`)
    const refused = await pay(guest, at.base)
    assert.match(refused.text, /<dt>Parcel<\/dt>/)
    assert.equal(heading(await pay(guest, at.base)), 'Thank you for your purchase')
  })

  test('need an address, are shipped at a price, and cannot be bought twice when one is left', async () => {
    const at = await openCheckout(service)
    const mug = await someGoods(service, at.shop, 1)
    const price = await aPrice(service, at.shop, { currencies: [{ currency: 'eur', price: 490 }] })
    await aShippingMethod(service, at.shop, { title: 'Parcel', price_id: price.id, countries: ['DE'] })
    const [one, other] = [at.guest(), at.guest()]
    for (const guest of [one, other]) await put(guest, at.base, mug)
    const wrong = await tell(one, at.base, { email: anEmail() })
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /<title>Error: Your details · /)
    assert.equal(wrong.text.match(/ autofocus/g)?.length, 1)
    assert.match(wrong.text, / id="first_name"[^>]* aria-invalid="true" autofocus>/)
    assert.match(wrong.text, /id="address1-e"/)
    assert.match(wrong.text, /<label for="zip">Postal code<\/label><input [^>]* required/)
    assert.match(wrong.text, /id="zip-e">Please fill this in\./)
    for (const guest of [one, other]) await tell(guest, at.base, { email: anEmail(), ...HOME })
    const [first, second] = [await pay(one, at.base), await pay(other, at.base)]
    const order = await readOrder(at.shop, orderIdOn(first))
    assert.deepEqual(
      [order.total_price, order.shipping_lines[0].title, order.shipping_address.city],
      [2870, 'Parcel', 'Berlin'],
    )
    // Test orders take nothing out of the stock, so both are sold.
    assert.equal(heading(second), 'Thank you for your purchase')
    await takeBills(service, at)
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
    const at = await openCheckout(service)
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
    const at = await openCheckout(service)
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

  test('are sold to customers who are signed in', async () => {
    const at = await openCheckout(service)
    const { email } = await aCustomer(at.shop)
    const customer = at.guest()
    await customer.get(`${at.base}/login`)
    await customer.submit(`${at.base}/login`, { email, password: CUSTOMER_PASSWORD })
    await put(customer, at.base, await aFilm(service, at.shop))
    await tell(customer, at.base, { email })
    const page = await pay(customer, at.base, { now: '1' })
    assert.equal(heading(page), 'Thank you for your purchase')
    assert.equal((await readOrder(at.shop, orderIdOn(page))).email, email)
  })

  test('are placed once, however often the button is pressed', async () => {
    const at = await openCheckout(service)
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop))
    await tell(guest, at.base, { email: anEmail() })
    const fields = { total: '1190', currency: 'EUR', gateway: 'Test', card: CARDS.pays }
    const answers = await Promise.all(Array.from({ length: 5 }, () => guest.post(`${at.base}/checkout/pay`, fields)))
    for (const answer of answers) assert.ok([303, 422].includes(answer.status), answer.text)
    const { count } = (await at.shop.get('/api/orders/count.json')).body
    assert.equal(count, 1)
    const again = await guest.post(`${at.base}/checkout/pay`, fields)
    assert.match(again.location ?? '', /\/orders\/\d+-/)
  })

  test('do not sell at another price than was shown', async () => {
    const at = await openCheckout(service)
    const price = await aPrice(service, at.shop, { currencies: [{ currency: 'eur', price: 1000 }] })
    const film = await aFilm(service, at.shop, 0, {
      price_license_binding: [{ license_id: BUY, price_id: price.id }],
    })
    const guest = at.guest()
    await put(guest, at.base, film)
    await tell(guest, at.base, { email: anEmail() })
    const page = await guest.submit(`${at.base}/checkout/pay`, { total: '900', gateway: 'Test', card: CARDS.pays })
    assert.equal(page.status, 422)
    assert.match(page.text, /The price or the currency has changed/)
    assert.equal((await at.shop.get('/api/orders/count.json')).body.count, 0)
  })

  test('sell nothing of a cart that was changed in another window meanwhile', async () => {
    const at = await openCheckout(service)
    const [film, other] = [await aFilm(service, at.shop), await aFilm(service, at.shop, 500)]
    const guest = at.guest()
    await put(guest, at.base, film)
    const page = await tell(guest, at.base, { email: anEmail() })
    assert.match(page.text, /name="total" value="1190"/)
    const paying = await inTransaction(service.db, async (tx) => {
      const more = { license_id: null, hd: null, audio_type: null, num_users: null, chosen_product_id: null }
      const line = { product_id: other.product_id, ...more, quantity: 1 }
      await sql`update carts set lines = lines || ${JSON.stringify([line])}::jsonb
        where company_id = ${at.shop.companyId}`.execute(tx)
      const answer = guest.submit(`${at.base}/checkout/pay`, { gateway: 'Test', card: CARDS.pays })
      await untilWaiting(service, 1)
      return { answer }
    })
    const refused = await paying.answer
    assert.equal(refused.status, 422, refused.text)
    assert.match(refused.text, /The price or the currency has changed/)
    assert.match(refused.text, /name="total" value="1690"/)
    assert.equal((await at.shop.get('/api/orders/count.json')).body.count, 0)
  })

  test('become a paid order, with its payment and session, in one transaction of few statements', async () => {
    const at = await openCheckout(service)
    const [film, email] = [await aFilm(service, at.shop), anEmail()]
    const buy = async () => {
      const guest = at.guest()
      await put(guest, at.base, film)
      await tell(guest, at.base, { email })
      const before = statementCount()
      const answer = await guest.submit(`${at.base}/checkout/pay`, { gateway: 'Test', card: CARDS.pays, now: '1' })
      assert.equal(answer.status, 303, answer.text)
      return statementCount() - before
    }
    await buy()
    const sent = await buy()
    // It was 50 when the order, its payment and the limits of guests had a transaction each.
    assert.ok(sent <= 12, `${sent} statements`)
  })

  test('drop what is no longer sold, and sell nothing of it', async () => {
    const at = await openCheckout(service)
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
    const at = await openCheckout(service)
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop, 0))
    const page = await tell(guest, at.base, { email: anEmail() })
    assert.doesNotMatch(page.text, /name="gateway"/)
    const placed = await pay(guest, at.base, { now: '1', gateway: 'Test', card: CARDS.pays })
    assert.equal(heading(placed), 'Thank you for your purchase')
    const { test, gateway, financial_status } = await readOrder(at.shop, orderIdOn(placed))
    assert.deepEqual([test, gateway, financial_status], [false, 'Manual', 'paid'], 'whichever gateway the form names')
  })

  test('keep the title that was bought when the product is renamed, and translate it until then', async () => {
    const at = await openCheckout(service)
    const names = [
      { language_id: 'en', shop_name: 'Shop' },
      { language_id: 'de', shop_name: 'Laden' },
    ]
    await at.shop.put(`/api/themesettings/${at.base.split('/').at(-1)}.json`, { ThemeSetting: { locales: names } })
    const locales = [
      { language_id: 'en', title: 'The Ferry' },
      { language_id: 'de', title: 'Die Fähre' },
    ]
    const film = await aFilm(service, at.shop, 1190, { title: 'The Ferry', locales })
    const guest = at.guest()
    await put(guest, at.base, film)
    await tell(guest, at.base, { email: anEmail() })
    const { location = '' } = await guest.submit(`${at.base}/checkout/pay`, { gateway: 'Test', card: CARDS.pays })
    await guest.post(`${at.base}/preferences`, { language: 'de' })
    assert.match((await guest.get(location)).text, /Die Fähre/)
    await at.shop.put(`/api/products/${film.id}.json`, {
      product: { title: 'The Last Ferry', locales: [{ language_id: 'de', title: 'Die letzte Fähre' }] },
    })
    const { text } = await guest.get(location)
    assert.match(text, /The Ferry/)
    assert.doesNotMatch(text, /letzte/)
  })

  test('are seen by nobody without the secret of the order', async () => {
    const [at, stranger] = [await openCheckout(service), await openCheckout(service)]
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
    const at = await openCheckout(service)
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
    const at = await openCheckout(service)
    await takeBills(service, at)
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop))
    const [email, recipient] = [anEmail(), anEmail()]
    const gift = { is_gift: '1', gift_email: recipient, gift_name: 'Ann', gift_message: 'Enjoy!' }
    const page = await tell(guest, at.base, { email, ...gift })
    assert.match(page.text, new RegExp(recipient))
    const done = await pay(guest, at.base, { gateway: 'Manual' })
    const order = await readOrder(at.shop, orderIdOn(done))
    await service.runJobs()
    assert.equal((await mailsTo(service, recipient)).length, 0, 'not paid yet')
    assert.equal((await at.shop.post(`/api/orders/${order.id}/mark_paid.json`)).status, 200)
    service.clock.advance(600)
    await service.runJobs()
    const [mail] = await mailsTo(service, recipient)
    assert.match(mail ?? '', /Enjoy!/)
    assert.match(mail ?? '', new RegExp(order.line_items[0].code))
    const shop = await at.shop.asUser(at.shop.userId)
    assert.deepEqual(await contentOf({ ...at, shop }, order), [])
  })
})

describe('after the purchase', () => {
  test('a guest can choose a password, through a mail', async () => {
    const at = await openCheckout(service)
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop))
    const email = anEmail()
    await tell(guest, at.base, { email })
    assert.match((await pay(guest, at.base, { now: '1' })).text, /Set a password/)
    assert.equal((await guest.submit(`${at.base}/reset`)).status, 200)
    await service.runJobs()
    const link = /\/shop\/\d+\/customer\/[\w-]{43}/.exec((await mailsTo(service, email)).join('\n'))?.[0]
    assert.ok(link, 'there is no mail with a link')
    await guest.get(link)
    const done = await guest.submit(link, { password: CUSTOMER_PASSWORD })
    assert.equal(done.location, `${at.base}/account?done=password`)
  })

  test('the customer finds the invoice on the page of the order, and in the account', async () => {
    const at = await openCheckout(service)
    await takeBills(service, at)
    const { email } = await aCustomer(at.shop)
    const visitor = at.guest()
    await visitor.get(`${at.base}/login`)
    await visitor.submit(`${at.base}/login`, { email, password: CUSTOMER_PASSWORD })
    await put(visitor, at.base, await aFilm(service, at.shop))
    await tell(visitor, at.base, {})
    const { location = '' } = await visitor.submit(`${at.base}/checkout/pay`, { gateway: 'Manual', now: '1' })
    const placed = await visitor.get(location)
    assert.doesNotMatch(placed.text, /\(PDF\)/)
    await service.runJobs()
    const inAccount = `${at.base}/account/orders/${orderIdOn(placed)}`
    for (const path of [location, inAccount]) {
      const { text } = await visitor.get(path)
      const [, pdf = ''] = /href="([^"]*)">Invoice \S+ \(PDF\)/.exec(text) ?? []
      const { status, headers } = await at.guest().get(pdf)
      assert.deepEqual([status, headers.get('content-type')], [200, 'application/pdf'], text)
    }
    assert.notEqual((await at.guest().get(inAccount)).status, 200)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { askVies } from '#selling/taxes/vies.commands.ts'
import { ownerPage } from '#test/admin.ts'
import {
  CARDS,
  contentOf,
  HOME,
  heading,
  mailsTo,
  openCheckout,
  orderIdOn,
  pay,
  put,
  takeBills,
  tell,
} from '#test/checkout.ts'
import { aCustomer, anEmail, CUSTOMER_PASSWORD } from '#test/customers.ts'
import { useService } from '#test/harness.ts'
import { aFilm, readOrder, someGoods } from '#test/orders.ts'
import { useVies } from '#test/vies.ts'
import type { PageAnswer } from '#test/visitor.ts'

const vies = useVies()
const service = useService({ serviceUrls: () => ({ gateways: {}, vies: vies.url }) })

describe('a stranger', () => {
  test('buys a film with a test card, and owns it at once', async () => {
    const at = await openCheckout(service)
    const film = await aFilm(service, at.shop)
    const guest = at.guest()
    const cart = await put(guest, at.base, film)
    assert.match(cart.text, /11\.90/)
    const email = anEmail()
    const payPage = await tell(guest, at.base, { email })
    assert.match(payPage.text, /I agree that delivery starts before/)
    assert.doesNotMatch(payPage.text, /id="now"[^>]*checked/)
    const page = await pay(guest, at.base, { now: '1' })
    assert.equal(heading(page), 'Thank you for your purchase')
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
    const [mail] = await mailsTo(service, email)
    assert.match(mail ?? '', /I agree that delivery starts before the 14-day withdrawal period ends/)
    assert.match((await guest.get(`${at.base}/cart`)).text, /Your cart is empty/)
  })

  test('who does not agree to start at once can use it in two weeks', async () => {
    const at = await openCheckout(service)
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop))
    await tell(guest, at.base, { email: anEmail() })
    const page = await pay(guest, at.base)
    const [, day] = /You can use it from (\d{1,2} \w+ \d{4}), when/.exec(page.text) ?? []
    assert.notEqual(day, undefined, page.text)
    const library = await guest.get(`${at.base}/my-content`)
    assert.ok(library.text.includes(`Starts on ${day}`), library.text)
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
    const at = await openCheckout(service)
    const film = await aFilm(service, at.shop)
    for (const details of [{ country: 'US' }, { country: 'DE', company: 'Roe Ltd', vat_id: 'DE136695976' }]) {
      const guest = at.guest()
      await put(guest, at.base, film)
      const page = await tell(guest, at.base, { email: anEmail(), ...details })
      assert.doesNotMatch(page.text, /I agree that delivery/)
    }
  })

  test('whose card is declined pays the same order with another', async () => {
    const at = await openCheckout(service)
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
    assert.equal(heading(paid), 'Thank you for your purchase')
    assert.deepEqual([orderIdOn(paid), (await readOrder(at.shop, id)).financial_status], [id, 'paid'])
  })

  test('who pays by bill waits until the owner has the money', async () => {
    const at = await openCheckout(service)
    await takeBills(service, at)
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
    const at = await openCheckout(service)
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

  test('can buy in several browsers at once, with one address', async () => {
    const at = await openCheckout(service)
    const film = await aFilm(service, at.shop)
    const email = anEmail()
    const browsers = Array.from({ length: 4 }, () => at.guest())
    for (const guest of browsers) {
      await put(guest, at.base, film)
      await tell(guest, at.base, { email })
      await guest.get(`${at.base}/checkout/pay`)
    }
    const pages = await Promise.all(browsers.map((guest) => pay(guest, at.base, { now: '1' })))
    assert.deepEqual(
      pages.map(heading),
      browsers.map(() => 'Thank you for your purchase'),
    )
    assert.equal(new Set(pages.map(orderIdOn)).size, browsers.length)
  })

  test('who signs in keeps the cart when the purchase is refused', async () => {
    const at = await openCheckout(service)
    const customer = await aCustomer(at.shop)
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop))
    await guest.get(`${at.base}/login`)
    await guest.submit(`${at.base}/login`, { email: customer.email, password: CUSTOMER_PASSWORD })
    const refused = await guest.post(`${at.base}/checkout/pay`, {
      total: '1',
      gateway: 'Test',
      card: CARDS.pays,
      now: '1',
    })
    assert.notEqual(refused.status, 500)
    assert.doesNotMatch((await guest.get(`${at.base}/cart`)).text, /Your cart is empty/)
  })

  test('leaves nothing behind for the next one who uses the computer', async () => {
    const at = await openCheckout(service)
    const film = await aFilm(service, at.shop)
    const buyer = await aCustomer(at.shop)
    const next = await aCustomer(at.shop)
    const computer = at.guest()
    const signIn = async ({ email }: { email: string }) => {
      await computer.get(`${at.base}/login`)
      const answer = await computer.submit(`${at.base}/login`, { email, password: CUSTOMER_PASSWORD })
      assert.equal(answer.location, `${at.base}/account`, answer.text)
    }
    const signOut = () => computer.post(`${at.base}/logout`, {})
    const pressAgain = async () =>
      (
        await computer.post(`${at.base}/checkout/pay`, {
          total: '1190',
          currency: 'EUR',
          gateway: 'Test',
          card: CARDS.pays,
        })
      ).location
    const buy = async (email: string) => {
      await put(computer, at.base, film)
      await tell(computer, at.base, { email })
      assert.equal(heading(await pay(computer, at.base, { now: '1' })), 'Thank you for your purchase')
      assert.match((await pressAgain()) ?? '', /\/orders\/\d+-/)
    }

    // A guest who has bought, and somebody who signs in without a word from the guest.
    await buy(anEmail())
    await signIn(next)
    assert.equal(await pressAgain(), `${at.base}/cart`)
    await signOut()
    assert.equal(await pressAgain(), `${at.base}/cart`)

    // A guest who leaves by the button of My Content.
    await buy(anEmail())
    await computer.get(`${at.base}/my-content`)
    assert.equal((await computer.submit(`${at.base}/logout`)).location, `${at.base}/`)
    assert.equal(await pressAgain(), `${at.base}/cart`)
    assert.match((await computer.get(`${at.base}/my-content`)).location ?? '', /\/login\?/)

    // A customer who signs in with a full cart finds it again, and nobody else does.
    await put(computer, at.base, film)
    await signIn(buyer)
    await signOut()
    assert.match((await computer.get(`${at.base}/cart`)).text, /Your cart is empty/)
    await signIn(buyer)
    assert.doesNotMatch((await computer.get(`${at.base}/cart`)).text, /Your cart is empty/)
    await tell(computer, at.base, { email: buyer.email })
    assert.equal(heading(await pay(computer, at.base, { now: '1' })), 'Thank you for your purchase')
    assert.match((await pressAgain()) ?? '', /\/orders\/\d+-/)
    await signOut()
    assert.equal(await pressAgain(), `${at.base}/cart`)
  })

  test('changes nothing that the company knows of a customer', async () => {
    const at = await openCheckout(service)
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
    const at = await openCheckout(service)
    const [film, email] = [await aFilm(service, at.shop), anEmail()]
    let last: PageAnswer | undefined
    // The first waits are short, and may be over before the next order.
    for (let orders = 0; orders < 20 && !/Too many/.test(last?.text ?? ''); orders += 1) {
      const guest = at.guest()
      await put(guest, at.base, film)
      await tell(guest, at.base, { email })
      last = await pay(guest, at.base, { card: CARDS.fails })
    }
    assert.match(last?.text ?? '', /Too many orders were placed from here/)
    service.clock.advance(86_400)
  })

  test('cannot have mails sent to any number of addresses', async () => {
    const at = await openCheckout(service)
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop))
    const [email, now] = [anEmail(), service.clock.now()]
    assert.equal(heading(await tell(guest, at.base, { email })), 'How would you like to pay?')
    const limit = service.db.updateTable('attempt_limits').where('key', 'like', 'address 127.0.0.1 address at checkout')
    const { numUpdatedRows } = await limit
      .set({ failures: 101, failed_at: now, blocked_until: new Date(now.getTime() + 60_000) })
      .executeTakeFirstOrThrow()
    assert.equal(numUpdatedRows, 1n)
    assert.equal(heading(await tell(guest, at.base, { email })), 'How would you like to pay?', 'the same address again')
    assert.match((await tell(guest, at.base, { email: anEmail() })).text, /Too many email addresses were entered/)
    service.clock.advance(86_400)
  })
})

describe('a company', () => {
  test('with a VAT id of another country pays no tax, and one with a wrong id is told', async () => {
    const at = await openCheckout(service)
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop))
    for (const vat_id of ['DE123', 'FR40303265045', 'DE136695975'])
      assert.equal((await tell(guest, at.base, { email: anEmail(), company: 'Roe', vat_id })).status, 422, vat_id)
    const french = await tell(guest, at.base, { email: anEmail(), country: 'FR', company: 'Roe', vat_id: 'FR00' })
    assert.match(french.text, /This is not a valid VAT ID for France\./)
    const page = await tell(guest, at.base, {
      email: anEmail(),
      country: 'FR',
      company: 'Roe',
      vat_id: 'FR 40 303265045',
    })
    assert.match(page.text, /Reverse charge: you account for the VAT/)
    const order = await readOrder(at.shop, orderIdOn(await pay(guest, at.base)))
    assert.deepEqual([order.vat_id, order.reverse_charge, order.total_tax], ['FR40303265045', true, 0])
    assert.deepEqual(vies.asked, [], 'nobody has asked for the lookup')
  })

  /** A shop that looks VAT ids up, and a guest of it with a film in the cart. */
  async function aLookup() {
    const at = await openCheckout(service)
    const settings = { check_vat_ids: true, vat_id: 'DE136695976' }
    const page = await ownerPage(service, at.shop)
    assert.equal((await page.put('/invoice_settings.json', { invoice_settings: settings })).status, 200)
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop))
    const enter = () => {
      const typed = { email: anEmail(), country: 'GR', company: 'Roe', vat_id: 'EL 094259216' }
      return tell(guest, at.base, typed)
    }
    vies.asked.length = 0
    vies.mood = 'answers'
    const order = () => pay(guest, at.base)
    return { at, enter, order, buy: async () => readOrder(at.shop, orderIdOn(await order())) }
  }

  test('whose VAT id VIES knows gets an order that says so, and is looked up once a day', async () => {
    vies.known.add('EL094259216')
    const { at, enter, buy } = await aLookup()
    assert.match((await enter()).text, /Reverse charge/)
    const confirmed = service.clock.now().toISOString().slice(0, 'YYYY-MM-DDThh:'.length)
    const order = await buy()
    assert.deepEqual([order.vat_id, order.vat_id_request_id], ['EL094259216', 'WAPIAAAAY1-x'])
    assert.ok(order.vat_id_checked_at.startsWith(confirmed), order.vat_id_checked_at)
    assert.deepEqual(vies.asked, [
      {
        countryCode: 'EL',
        vatNumber: '094259216',
        requesterMemberStateCode: 'DE',
        requesterNumber: '136695976',
      },
    ])
    const again = at.guest()
    await put(again, at.base, await aFilm(service, await at.shop.asUser(at.shop.userId)))
    service.clock.advance(86_401)
    await tell(again, at.base, { email: anEmail(), country: 'GR', company: 'Roe', vat_id: 'EL094259216' })
    assert.equal(vies.asked.length, 2)
  })

  test('whose VAT id VIES does not know is told, also when it pays a day later', async () => {
    vies.known.clear()
    const { enter, order } = await aLookup()
    const assertTold = ({ status, text }: PageAnswer) => {
      assert.equal(status, 422)
      assert.match(text, /id="vat_id-e">VIES, the register of the EU, does not know this VAT ID/)
    }
    assertTold(await enter())
    vies.mood = 'member state unavailable'
    assert.equal((await enter()).status, 422, 'the answer of VIES holds for a day')
    service.clock.advance(86_401)
    assert.equal((await enter()).status, 200)
    vies.mood = 'answers'
    assertTold(await order())
  })

  test('buys without VIES: its order says that only the form of the VAT id is known', async () => {
    for (const mood of ['member state unavailable', 'garbage', 'breaks off', 'floods'] as const) {
      const { enter, buy } = await aLookup()
      vies.mood = mood
      assert.match((await enter()).text, /Reverse charge/, mood)
      const order = await buy()
      assert.deepEqual([order.vat_id, order.vat_id_checked_at], ['EL094259216', undefined], mood)
    }
    vies.mood = 'says nothing'
    const options = { outbound: service.outbound, url: vies.url, waitMs: 50 }
    assert.equal(await askVies(options, 'EL094259216', ''), undefined)
  })

  test('cannot have any number of VAT ids looked up', async () => {
    const { enter } = await aLookup()
    vies.mood = 'member state unavailable'
    // The first waits last a second, which a busy machine takes for a few pages.
    service.clock.stop()
    assert.equal((await enter()).status, 200)
    for (let times = 1; times < 31; times += 1) await enter()
    const { length: asked } = vies.asked
    assert.ok(asked <= 30, `${asked}`)
    assert.equal((await enter()).status, 422)
    assert.equal(vies.asked.length, asked)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  CARDS,
  HOME,
  heading,
  type OpenShop,
  openCheckout,
  orderIdOn,
  pay,
  put,
  takeBills,
  tell,
} from '#test/checkout.ts'
import { anEmail } from '#test/customers.ts'
import { useService } from '#test/harness.ts'
import { aFilm, readOrder, someGoods } from '#test/orders.ts'
import type { Visitor } from '#test/visitor.ts'

const service = useService()

async function declined(at: OpenShop, guest: Visitor, quantity = '2') {
  const film = await aFilm(service, at.shop, 1190, { title: 'The Last Ferry' })
  const mug = await someGoods(service, at.shop)
  await put(guest, at.base, film)
  await put(guest, at.base, mug, { quantity })
  await tell(guest, at.base, { email: anEmail(), ...HOME })
  return orderIdOn(await pay(guest, at.base, { card: CARDS.fails, now: '1' }))
}

const countOrders = async ({ shop }: OpenShop) => (await shop.get('/api/orders/count.json')).body.count

describe('the cart of an order whose card was declined', () => {
  test('says that the order is not paid yet, what is in it, and leads to its payment', async () => {
    const at = await openCheckout(service)
    const guest = at.guest()
    const id = await declined(at, guest)
    const { text } = await guest.get(`${at.base}/cart`)
    assert.match(text, new RegExp(`Order #${id} is not paid yet`))
    for (const words of ['The Last Ferry', '2 × Mug']) assert.ok(text.includes(words), words)
    assert.doesNotMatch(text, /Your cart is empty/)
    const [, link = ''] = /<a class="btn primary wide" href="([^"]+)">Pay €59\.50</.exec(text) ?? []
    const page = await guest.get(link)
    assert.equal(heading(page), 'Pay for your order')
    const paid = await guest.follow(await guest.submit(/\/pay$/, { gateway: 'Test', card: CARDS.pays }))
    assert.equal(heading(paid), 'Thank you for your purchase')
    assert.match((await guest.get(`${at.base}/cart`)).text, /Your cart is empty/)
    assert.equal(await countOrders(at), 1)
  })

  test('gets everything back if the customer wants to change the order, which is cancelled', async () => {
    const at = await openCheckout(service)
    const guest = at.guest()
    const id = await declined(at, guest)
    await put(guest, at.base, await aFilm(service, at.shop, 500, { title: 'Kelp' }))
    await guest.get(`${at.base}/cart`)
    const cart = await guest.follow(await guest.submit(/\/change$/))
    assert.doesNotMatch(cart.text, /is not paid yet/)
    for (const words of ['The Last Ferry', 'Mug', 'Kelp', 'name="quantity" type="number"'])
      assert.ok(cart.text.includes(words), words)
    assert.match(cart.text, /value="2"/)
    assert.notEqual((await readOrder(at.shop, id)).cancelled_at, null)
    const details = await guest.get(`${at.base}/checkout`)
    assert.match(details.text, /id="email"[^>]* value="[^"]+@/)
  })

  test('is nobody else’s, and an order that was paid cannot be turned back', async () => {
    const at = await openCheckout(service)
    const guest = at.guest()
    const id = await declined(at, guest)
    const { text } = await guest.get(`${at.base}/cart`)
    const [, path = ''] = /action="([^"]+\/change)"/.exec(text) ?? []
    assert.equal((await at.guest().post(`${path.slice(0, -10)}x/change`, {})).status, 404)
    await guest.get(path.replace('/change', ''))
    await guest.submit(/\/pay$/, { gateway: 'Test', card: CARDS.pays })
    await guest.post(path, {})
    const order = await readOrder(at.shop, id)
    assert.deepEqual([order.cancelled_at, order.financial_status], [null, 'paid'])
    assert.doesNotMatch((await at.guest().get(`${at.base}/cart`)).text, /is not paid yet/)
  })
})

describe('a card number that was left empty', () => {
  test('is named at its field, and creates no order', async () => {
    const at = await openCheckout(service)
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop))
    await tell(guest, at.base, { email: anEmail() })
    for (const card of ['', '  ']) {
      const page = await pay(guest, at.base, { card, now: '1' })
      assert.equal(page.status, 422)
      assert.match(page.text, /id="card"[^>]* aria-invalid="true" aria-describedby="card-e card-h"/)
      assert.match(page.text, /<p class="error" id="card-e">Enter a card number\.</)
      assert.match(page.text, /id="now"[^>]* checked/)
    }
    assert.equal(await countOrders(at), 0)
    assert.equal(heading(await pay(guest, at.base, { now: '1' })), 'Thank you for your purchase')
  })

  test('is named on the page of an unpaid order, too', async () => {
    const at = await openCheckout(service)
    const guest = at.guest()
    await declined(at, guest)
    const [, path = ''] = /href="([^"]+\/orders\/[^"]+)">Pay/.exec((await guest.get(`${at.base}/cart`)).text) ?? []
    await guest.get(path)
    const page = await guest.submit(/\/pay$/, { gateway: 'Test', card: '' })
    assert.equal(page.status, 422)
    assert.match(page.text, /id="card-e">Enter a card number\.</)
  })
})

describe('a business', () => {
  test('enters the number of its purchase order, which others cannot', async () => {
    const at = await openCheckout(service)
    const film = await aFilm(service, at.shop)
    const buy = async (details: Record<string, string>) => {
      const guest = at.guest()
      await put(guest, at.base, film)
      await tell(guest, at.base, { email: anEmail(), ...details })
      return readOrder(at.shop, orderIdOn(await pay(guest, at.base, { now: '1' })))
    }
    assert.equal((await buy({ company: 'Kino AG', po_number: ' PO-7781 ' })).po_number, 'PO-7781')
    assert.equal((await buy({ po_number: 'PO-7781' })).po_number, '')
  })
})

test('only the test gateway warns that nothing is charged', async () => {
  const at = await openCheckout(service)
  const film = await aFilm(service, at.shop)
  const walk = async (fields: Record<string, string>) => {
    const guest = at.guest()
    const email = anEmail()
    await put(guest, at.base, film)
    const payPage = await tell(guest, at.base, { email })
    const placed = await pay(guest, at.base, { ...fields, now: '1' })
    await service.runJobs()
    const mails = await service.db
      .selectFrom('mails')
      .select(['subject', 'text'])
      .where('recipient', '=', email)
      .execute()
    return [payPage.text, placed.text, ...mails.map(({ subject, text }) => `${subject}\n${text}`)].join('\n')
  }
  assert.match(await walk({}), /\[Test\][\s\S]*This is a test/)
  await takeBills(service, at)
  assert.doesNotMatch(await walk({ gateway: 'Manual' }), /\[Test\]|is a test|Test card|No money moves/)
})

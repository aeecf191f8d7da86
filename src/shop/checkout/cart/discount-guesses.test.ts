import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { CARDS, OURS, openCheckout, put, tell } from '#test/checkout.ts'
import { anEmail } from '#test/customers.ts'
import { useService } from '#test/harness.ts'
import { aDiscountCode, aFilm } from '#test/orders.ts'
import { type Visitor, visit } from '#test/visitor.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })
before(() => service.clock.stop())

/** As many wrong codes are free for one address. */
const FREE = 30
const from = (address: string) => visit(service.url, { ...OURS, 'x-forwarded-for': address })

async function openWithCode() {
  const at = await openCheckout(service)
  const film = await aFilm(service, at.shop)
  await aDiscountCode(service, at.shop, { code: 'SPRING', type: 'percentage', amount: 50 })
  const enter = (visitor: Visitor, code: string) => visitor.post(`${at.base}/cart/discount`, { code })
  return { ...at, film, enter }
}

describe('discount codes that do not exist', () => {
  test('are limited for one address and shop, and an order needs none', async () => {
    const at = await openWithCode()
    const guesser = from('198.51.100.1')
    await put(guesser, at.base, at.film)
    const statuses: number[] = []
    for (let guess = 0; guess < FREE + 5; guess += 1) statuses.push((await at.enter(guesser, `GUESS${guess}`)).status)
    assert.deepEqual(statuses, [...Array(FREE).fill(303), ...Array(5).fill(429)])
    // The right code is refused like any other, so that the answer says nothing.
    const refused = await at.enter(guesser, 'SPRING')
    assert.equal(refused.status, 429)
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    assert.match(refused.text, /role="alert">There were too many wrong codes\./)
    assert.ok(refused.text.includes(`href="${at.base}/checkout"`), 'the page leads on')
    assert.doesNotMatch((await guesser.get(`${at.base}/cart`)).text, /SPRING/)
    assert.equal((await at.enter(from('198.51.100.1'), 'SPRING')).status, 429, 'another browser there')
    assert.equal((await at.enter(guesser, ' ')).status, 303, 'a code is taken out')
    await tell(guesser, at.base, { email: anEmail() })
    const fields = { gateway: 'Test', card: CARDS.pays, now: '1' }
    assert.equal((await guesser.submit(`${at.base}/checkout/pay`, fields)).status, 303)
    assert.equal((await at.enter(from('203.0.113.9'), 'SPRING')).status, 303, 'another address')
    const other = await openWithCode()
    assert.equal((await other.enter(from('198.51.100.1'), 'SPRING')).status, 303, 'another shop')
  })

  test('are named when an order is refused for them, and can be removed', async () => {
    const at = await openWithCode()
    const guest = from('198.51.100.4')
    await put(guest, at.base, at.film)
    const cart = await guest.follow(await at.enter(guest, 'NONE'))
    assert.match(cart.text, /name="code" value=""><button[^>]*>Remove</)
    await tell(guest, at.base, { email: anEmail() })
    const fields = { gateway: 'Test', card: CARDS.pays, now: '1' }
    const refused = await guest.submit(`${at.base}/checkout/pay`, fields)
    assert.match(refused.text, /role="alert">The discount code NONE cannot be used\.[^<]*<a href="[^"]*\/cart">/)
    await at.enter(guest, '')
    await guest.get(`${at.base}/checkout/pay`)
    assert.equal((await guest.submit(`${at.base}/checkout/pay`, fields)).status, 303)
  })

  test('are limited when many come at once', async () => {
    const at = await openWithCode()
    const answers = await Promise.all(
      Array.from({ length: 3 * FREE }, (_, guess) => at.enter(from('198.51.100.2'), `GUESS${guess}`)),
    )
    assert.equal(answers.filter(({ status }) => status === 303).length, FREE)
    assert.equal(answers.filter(({ status }) => status === 429).length, 2 * FREE)
  })

  test('are not those that do, however often they are entered', async () => {
    const at = await openWithCode()
    const guest = from('198.51.100.3')
    await put(guest, at.base, at.film)
    for (let time = 0; time < FREE + 5; time += 1) assert.equal((await at.enter(guest, ' spring ')).status, 303)
    assert.match((await guest.get(`${at.base}/cart`)).text, /SPRING/)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { heading, type OpenShop, openCheckout, orderIdOn, put, tell } from '#test/checkout.ts'
import { anEmail } from '#test/customers.ts'
import { useService } from '#test/harness.ts'
import { MOLLIE_KEY, type MolliePayment, useMollie } from '#test/mollie.ts'
import { aFilm, readOrder } from '#test/orders.ts'
import { offer } from '#test/payments.ts'
import type { Visitor } from '#test/visitor.ts'

const mollie = useMollie(() => service.clock.now())
const service = useService({ serviceUrls: () => ({ gateways: { mollie: mollie.url }, vies: '' }) })

type Gone = { at: OpenShop; guest: Visitor; path: string; payment: MolliePayment }

async function openShop(): Promise<OpenShop> {
  const at = await openCheckout(service)
  await offer(service, at.shop, { test: { enabled: false }, mollie: { enabled: true, secret_key: MOLLIE_KEY } })
  return at
}

/** A guest who has ordered a film, and is on the page of Mollie. */
async function goToMollie(): Promise<Gone> {
  const at = await openShop()
  const guest = at.guest()
  await put(guest, at.base, await aFilm(service, at.shop))
  const form = await tell(guest, at.base, { email: anEmail() })
  assert.match(form.text, /value="Mollie"[^>]*>Online payment<span class="muted">You choose the method at Mollie</)
  const { location = '' } = await guest.submit(`${at.base}/checkout/pay`, { gateway: 'Mollie' })
  const { text, headers } = await guest.get(location)
  const url = /https:\/\/www\.mollie\.com\/checkout\/select-method\/(\w+)/.exec(text)
  assert.equal(headers.get('refresh'), `0;url=${url?.[0]}`)
  return { at, guest, path: location.replace(/\/continue$/, ''), payment: mollie.payments.get(url?.[1] ?? '')! }
}

/** Mollie sends the customer back to where the shop has said. */
async function comeBack({ guest, payment: { redirectUrl } }: Gone) {
  const { pathname, search } = new URL(redirectUrl)
  return guest.follow(await guest.get(`${pathname}${search}`))
}

const alertOn = (text: string) => /role="alert">([^<]*)/.exec(text)?.[1]

describe('a guest who pays at Mollie', () => {
  test('comes back to an order that is paid, before Mollie has told of it', async () => {
    const gone = await goToMollie()
    mollie.change(gone.payment.id, { status: 'paid' })
    const page = await comeBack(gone)
    assert.equal(heading(page), 'Thank you for your purchase')
    const order = await readOrder(gone.at.shop, orderIdOn(page))
    assert.deepEqual([order.financial_status, order.gateway], ['paid', 'Mollie'])
  })

  test('reads what became of a payment that was cancelled, has expired or failed, and can pay again', async () => {
    for (const [status, sentence] of [
      ['canceled', /^The payment was cancelled or not finished in time\. Nothing was charged\./],
      ['expired', /^The payment was cancelled or not finished in time\. Nothing was charged\./],
      ['failed', /^The payment was declined\. Nothing was charged\./],
    ] as const) {
      const gone = await goToMollie()
      mollie.change(gone.payment.id, { status })
      const page = await comeBack(gone)
      assert.match(alertOn(page.text) ?? '', sentence)
      const { location = '' } = await gone.guest.submit(/\/pay$/, { gateway: 'Mollie' })
      const [, id = ''] = /select-method\/(\w+)/.exec((await gone.guest.get(location)).text) ?? []
      assert.notEqual(id, gone.payment.id)
      mollie.change(id, { status: 'paid' })
      await mollie.send(service, gone.at.shop.companyId, id)
      assert.equal(heading(await gone.guest.get(gone.path)), 'Thank you for your purchase')
    }
  })

  test('who comes back without having paid is led to the same page of Mollie', async () => {
    const gone = await goToMollie()
    const page = await comeBack(gone)
    assert.deepEqual([heading(page), alertOn(page.text)], ['Pay for your order', undefined])
    const { location = '' } = await gone.guest.submit(/\/pay$/, { gateway: 'Mollie' })
    assert.ok((await gone.guest.get(location)).text.includes(gone.payment.id))
  })

  test('is told that a bank transfer is waited for', async () => {
    const gone = await goToMollie()
    mollie.change(gone.payment.id, { method: 'banktransfer' })
    assert.match((await comeBack(gone)).text, /Waiting for payment/)
  })

  test('is not led away while Mollie cannot be reached, and nothing is charged', async () => {
    const at = await openShop()
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop))
    await tell(guest, at.base, { email: anEmail() })
    mollie.troubles.push('fails')
    mollie.done.length = 0
    const { status, text } = await guest.submit(`${at.base}/checkout/pay`, { gateway: 'Mollie' })
    assert.deepEqual([status, mollie.done], [503, []])
    assert.ok(!text.includes(MOLLIE_KEY))
  })
})

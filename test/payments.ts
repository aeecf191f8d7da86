import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { placeOrder, recordReport } from '#selling/payments/commands.ts'
import type { PaymentWork } from '#selling/payments/gateways/commands.ts'
import type { PaymentContext } from '#selling/payments/gateways/gateway.ts'
import { TEST_CARDS } from '#selling/payments/gateways/test-cards/gateway.ts'
import type { PaymentSettingsInput } from '#selling/payments/schema.ts'
import { updatePaymentSettings } from '#selling/payments/settings.commands.ts'
import type { GatewayName, PaymentState } from '#selling/payments/state.ts'
import type { Service, Shop } from './harness.ts'

/** An address that gateways can reach, unlike that of a test. */
export const BASE_URL = 'https://licet.example'

/** What a checkout has to start payments with. */
export function workOf(service: Service): PaymentWork {
  const { db, vault, outbound, serviceUrls, clock } = service
  return {
    db,
    vault,
    outbound,
    serviceUrls,
    now: clock.of,
    clock,
    change: (work) => inTransaction(db, work),
    baseUrl: () => BASE_URL,
  }
}

/** Turns ways to pay on. */
export async function offer(service: Service, shop: Shop, input: PaymentSettingsInput): Promise<void> {
  const now = nowInSeconds(service.clock)
  await inTransaction(service.db, (tx) => updatePaymentSettings(tx, service.vault, shop, input, now))
}

type Line = { product_id: string; quantity?: number }

/** Sells through the shop, as a checkout does. Test cards are taken only where no bill is. */
export async function place(
  service: Service,
  shop: Shop,
  customer: { token: string },
  lines: Line[],
  gateway: GatewayName | null,
  attributes: object = {},
) {
  if (gateway === 'Test' || gateway === 'Manual')
    await offer(service, shop, { manual: { enabled: gateway === 'Manual' } })
  const line_items = lines.map(({ product_id, quantity }) => ({ product_id, ...(quantity && { quantity }) }))
  const buyer = { kind: 'token', token: customer.token, path: 'customer_token' } as const
  const input = { customer_token: customer.token, line_items, ...attributes }
  return inTransaction(service.db, (tx) =>
    placeOrder(tx, shop, input, buyer, gateway, service.clock.of(shop.companyId)),
  )
}

/** place for something that costs money. */
export async function placeToPay(
  ...args: Parameters<typeof place>
): Promise<{ orderId: number; payment: PaymentState }> {
  const { order, payment } = await place(...args)
  if (payment === undefined) throw new Error('there is nothing to pay')
  return { orderId: order.state.id, payment }
}

export function contextOf(card: string | undefined = TEST_CARDS.succeeds): PaymentContext {
  return {
    description: 'Order',
    email: 'jane@example.com',
    language: 'en',
    returnUrl: 'https://shop.example.com/checkout/back',
    cancelUrl: 'https://shop.example.com/checkout',
    card,
  }
}

/** A payment that the owner has to look at. */
export async function aFlaggedPayment(
  service: Service,
  shop: Shop,
  customer: { token: string },
  lines: Line[],
): Promise<PaymentState> {
  await offer(service, shop, { stripe: { enabled: true, secret_key: 'sk_live_NotARealKey' } })
  const { payment } = await placeToPay(service, shop, customer, lines, 'Stripe')
  const report = { kind: 'paid', amountCents: 1, currency: 'EUR', reference: 'test' } as const
  const now = nowInSeconds(service.clock)
  await inTransaction(service.db, (tx) => recordReport(tx, shop.companyId, payment.id, report, now))
  return payment
}

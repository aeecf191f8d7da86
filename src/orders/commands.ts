import { findCountry } from '#companies/countries.ts'
import { readRates } from '#currency-rates/queries.ts'
import type { Caller } from '#platform/caller.ts'
import { randomCapitals, randomToken } from '#platform/crypto.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { validationFailed } from '#platform/problem.ts'
import type { Written } from '#platform/written.ts'
import type { Buyer } from './buyers/checks.ts'
import { takeBuyer } from './buyers/commands.ts'
import { draftOrder } from './draft.ts'
import { noRate } from './errors.ts'
import { refreshFulfillment } from './fulfillments/commands.ts'
import { confirmByMail } from './mails/commands.ts'
import { newOrder } from './new-order.ts'
import { presentOrder } from './present.ts'
import { NO_RATES, priceOrder } from './pricing.ts'
import { getOrderDocument, lockOrder, ORDERS } from './queries.ts'
import { saveOrder } from './rows.ts'
import { assertSelling, changeOrder } from './rules.ts'
import { readSaleContext } from './sale-context.ts'
import { applySale } from './sale-effects.ts'
import type { OrderChange, OrderInput } from './schema.ts'
import type { Channel, OrderState } from './state.ts'

type Owner = Pick<Caller, 'companyId'>

/** Sells through any channel. Either the whole order is written or nothing of it. */
export async function createOrder(
  tx: Tx,
  { companyId }: Owner,
  input: OrderInput,
  buyer: Buyer,
  channel: Channel,
  now: Date,
): Promise<Written<OrderState>> {
  const reading = readSaleContext(tx, companyId, input, now)
  // If the buyer is refused first, that is the error to report, and this promise may reject unnoticed.
  reading.catch(() => {})
  const customer = await takeBuyer(tx, { companyId }, buyer, input.customer ?? {}, now)
  const context = await reading
  assertSelling(context.seller, channel)
  const draft = draftOrder(input, context, customer.own, now)
  const simple = priceOrder(draft, NO_RATES)
  const pricing = simple?.homeCents === undefined ? priceOrder(draft, await readRates(tx)) : simple
  if (pricing === undefined) throw validationFailed('currency', noRate())
  const order = newOrder(input, draft, pricing, {
    id: context.orderId,
    customer,
    channel,
    checkoutToken: randomToken(16),
    takeId: context.takeId,
    newCode: input.generate_codes === true ? randomCode : undefined,
    now,
  })
  return applySale(tx, { order, customer, method: draft.method }, now)
}

/** A redemption code that people can type from paper. */
function randomCode(): string {
  return randomCapitals(16).replace(/(.{4})(?!$)/g, '$1-')
}

/** Changes the few attributes that can be changed. */
export async function updateOrder(
  tx: Tx,
  { companyId }: Owner,
  ref: string,
  input: OrderChange,
  now: Date,
): Promise<Written<OrderState>> {
  const before = await lockOrder(tx, companyId, ref)
  const { takePartId: takeId } = await takeIds(tx, ORDERS, 0, 1)
  const after = changeOrder(before, presentOrder(before).line_items, input, { now, takeId, findCountry })
  await saveOrder(tx, after)
  if (after.shipping_address !== before.shipping_address) await refreshFulfillment(tx, after, now)
  if (after.confirmed && !before.confirmed) await confirmByMail(tx, after, now)
  return { state: after, document: await getOrderDocument(tx, companyId, ref) }
}

import { readRates } from '#catalog/currency-rates/queries.ts'
import type { ForSale } from '#catalog/products/sale/state.ts'
import { findCountry } from '#identity/addresses/countries.facts.ts'
import { isGiven } from '#identity/addresses/rules.ts'
import type { AddressState } from '#identity/addresses/state.ts'
import { getSeller } from '#identity/companies/queries.ts'
import { findRecipient } from '#people/customers/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { awaitedLater } from '#platform/errors/awaited-later.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import { assertPermitted, type Caller, type Permitted } from '#platform/identity/caller.ts'
import { randomBelow, randomToken } from '#platform/identity/crypto.ts'
import type { Written } from '#platform/wire/written.ts'
import { setOnHold } from '#rights/entitlements/commands.ts'
import { holdSoldCodes } from '#rights/redemption-codes/commands.ts'
import { newCode } from '#rights/redemption-codes/rules.ts'
import { readShippingMethods } from '#selling/shipping-methods/queries.ts'
import { chooseMethod } from '#selling/shipping-methods/rules.ts'
import type { Buyer } from './buyers/checks.commands.ts'
import { type TakenBuyer, takeBuyer } from './buyers/commands.ts'
import { noRate, orderAwaitsPayment } from './errors.ts'
import { refreshFulfillment } from './fulfillments/commands.ts'
import { confirmByMail } from './mails/commands.ts'
import { presentOrder } from './present.ts'
import { getOrderDocument, lockOrder, ORDERS } from './queries.ts'
import { saveOrder } from './rows.commands.ts'
import { assertSelling, awaitsGateway, changeOrder, type ShippingContext } from './rules.ts'
import { readSaleContext } from './sale/context.queries.ts'
import { readRentals } from './sale/credits.queries.ts'
import type { Credit, Keeps } from './sale/credits.rules.ts'
import { type Draft, draftOrder, withCredit } from './sale/draft.rules.ts'
import { applySale } from './sale/effects.commands.ts'
import { newOrder } from './sale/new-order.commands.ts'
import { NO_RATES, type Pricing, priceOrder } from './sale/pricing.rules.ts'
import { codesSold, rightsSold } from './sale/sold-rights.rules.ts'
import { sum } from './sale/totals.rules.ts'
import type { OrderChange, OrderInput } from './schema.ts'
import type { Channel, OrderState, SaleContext } from './state.ts'

type Owner = Pick<Caller, 'companyId'>

/** A sale of which the price is known and nothing is written yet. Its customer and its discount codes are locked. */
export type PreparedSale = {
  input: OrderInput
  context: SaleContext
  customer: TakenBuyer
  draft: Draft
  pricing: Pricing
}

/** What some sales have beside products of the catalog. */
export type SpecialTerms = {
  /** The rentals that are bought for good. */
  keeps?: Keeps | undefined
  /** A period of a plan, which is not in the catalog, and what was paid for the rest of another one. */
  plan?: { product: ForSale; credit?: Credit | undefined } | undefined
}

/** Sells through any channel. Either the whole order is written or nothing of it. */
export async function createOrder(
  tx: Tx,
  owner: Owner,
  input: OrderInput,
  buyer: Buyer,
  channel: Channel,
  now: Date,
): Promise<Written<OrderState>> {
  return writeSale(tx, await prepareSale(tx, owner, input, buyer, channel, now), channel, now)
}

/** The first half of createOrder, for those who decide on the price before they sell. */
export async function prepareSale(
  tx: Tx,
  { companyId }: Owner,
  input: OrderInput,
  buyer: Buyer,
  channel: Pick<Channel, 'source_name'>,
  now: Date,
  { keeps, plan }: SpecialTerms = {},
): Promise<PreparedSale> {
  // If the buyer is refused first, that is the error to report.
  const reading = awaitedLater(readSaleContext(tx, companyId, input, now, plan === undefined))
  const customer = await takeBuyer(tx, { companyId }, buyer, now)
  const read = await reading
  const rentals = keeps === undefined ? read.rentals : await readRentals(tx, keptBy(keeps, customer))
  const products = plan === undefined ? read.products : new Map([[plan.product.product_id, plan.product]])
  const context = { ...read, rentals, products }
  assertSelling(context.seller, channel)
  const draft = withCredit(draftOrder(input, context, customer.own, channel, now), plan?.credit)
  const simple = priceOrder(draft, NO_RATES)
  const pricing = simple?.homeCents === undefined ? priceOrder(draft, await readRates(tx)) : simple
  if (pricing === undefined) throw validationFailed('currency', noRate())
  return { input, context, customer, draft, pricing }
}

/** A rental is kept by whoever has rented it. The customer is locked, so that one rental is not credited to two purchases at once. */
function keptBy({ owner, lines }: Keeps, { account }: TakenBuyer): Keeps {
  return { owner: owner?.customerId === account.id ? owner : undefined, lines }
}

/** The second half: writes the order and all that follows from it. */
export function writeSale(
  tx: Tx,
  { input, context, customer, draft, pricing }: PreparedSale,
  channel: Channel,
  now: Date,
): Promise<Written<OrderState>> {
  const order = newOrder(input, draft, pricing, {
    id: context.orderId,
    account: customer.account,
    channel,
    checkoutToken: randomToken(16),
    utcOffset: context.utcOffset,
    takeId: context.takeId,
    newCode: input.generate_codes === true ? () => newCode(randomBelow) : undefined,
    now,
  })
  const rights = order.subscription_id === null ? rightsSold(order, draft.lines) : []
  const codes = codesSold(order, draft.lines)
  const learnt = customer.isTrusted ? draft.known.own : customer.own
  const products = draft.lines.map(({ product }) => product)
  return applySale(tx, { order, customer, learnt, method: draft.method, products, rights, codes }, now)
}

/** Reads what a new shipping address depends on; nothing is read for a change that brings none. */
async function readShippingContext(
  tx: Tx,
  { company_id, customer_id, country_code, lines }: OrderState,
  { shipping_address }: OrderChange,
): Promise<Pick<ShippingContext, 'names' | 'isServed'>> {
  if (!isGiven(shipping_address)) return { names: NO_NAMES, isServed: () => true }
  const [customer, methods, seller] = await Promise.all([
    findRecipient(tx, company_id, customer_id),
    readShippingMethods(tx, company_id),
    getSeller(tx, company_id),
  ])
  const goods = lines.filter(({ kind }) => kind === 'physical')
  const grams = sum(goods.map((line) => line.grams * line.quantity))
  const isServed = (address: AddressState) => {
    const country = address.country_code || country_code || seller.country_code
    return methods.length === 0 || chooseMethod(methods, undefined, { country, grams }) !== undefined
  }
  return { names: customer ?? NO_NAMES, isServed }
}

const NO_NAMES = { first_name: '', last_name: '' }

/** Changes the few attributes that can be changed. */
export async function updateOrder(
  tx: Tx,
  caller: Permitted,
  ref: string,
  input: OrderChange,
  now: Date,
): Promise<Written<OrderState>> {
  const { companyId } = caller
  const before = await lockOrder(tx, companyId, ref)
  const { takePartId: takeId } = await takeIds(tx, ORDERS, 0, 1)
  const shipping = await readShippingContext(tx, before, input)
  const after = changeOrder(before, presentOrder(before).line_items, input, { ...shipping, now, takeId, findCountry })
  // It gives and takes what was bought.
  if (after.confirmed !== before.confirmed) assertPermitted(caller, 'accounting')
  if (after.confirmed && !before.confirmed && awaitsGateway(before)) throw orderAwaitsPayment(before.id)
  await saveOrder(tx, after)
  if (after.shipping_address !== before.shipping_address) await refreshFulfillment(tx, after, now)
  if (after.confirmed !== before.confirmed) {
    await setOnHold(tx, companyId, after.id, !after.confirmed, now)
    await holdSoldCodes(tx, companyId, after.id, !after.confirmed, now)
  }
  if (after.confirmed && !before.confirmed) await confirmByMail(tx, after, now)
  return { state: after, document: await getOrderDocument(tx, companyId, ref) }
}

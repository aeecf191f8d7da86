import { findCountry } from '#companies/countries.ts'
import { findCustomerDocument, type OwnCustomer } from '#customers/queries.ts'
import { saveRelations } from '#customers/relations.ts'
import { countUses } from '#discount-codes/commands.ts'
import { emit } from '#events/emit.ts'
import type { Caller } from '#platform/caller.ts'
import { randomToken } from '#platform/crypto.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { asciiJson } from '#platform/wire.ts'
import type { Buyer } from './buyers/checks.ts'
import { takeBuyer } from './buyers/commands.ts'
import { presentBuyer } from './buyers/present.ts'
import { countIn } from './counts/commands.ts'
import { draft, readNamed } from './draft.ts'
import { sellingIsOff } from './errors.ts'
import { openFulfillment, refreshFulfillment } from './fulfillments/commands.ts'
import { randomCode, takeGoods } from './goods.ts'
import { newLines } from './lines/rules.ts'
import { confirmByMail } from './mails/commands.ts'
import { orderName, presentOrder } from './present.ts'
import type { DraftedOrder } from './pricing.ts'
import { getOrderDocument, lockOrder, ORDERS } from './queries.ts'
import { insertOrder, saveOrder } from './rows.ts'
import { changeOrder, fulfillmentStatus, visitOf, wholeDocument } from './rules.ts'
import type { OrderChange, OrderInput } from './schema.ts'
import { bookSale } from './shares.ts'
import type { OrderState } from './state.ts'

type Owner = Pick<Caller, 'companyId'>

/** Makes an order and answers the whole document. Nothing of it is there unless all of it is. */
export async function createOrder(
  tx: Tx,
  { companyId }: Owner,
  input: OrderInput,
  buyer: Buyer,
  now: Date,
): Promise<string> {
  const naming = readNamed(tx, companyId, input)
  // What fails first is told; the other may fail later, unheard.
  naming.catch(() => {})
  const customer = await takeBuyer(tx, { companyId }, buyer, input.customer ?? {}, now)
  const named = await naming
  if (!named.seller.api_active || named.seller.company_disabled) throw sellingIsOff()
  const drafted = await draft(tx, input, named, customer.account, now)
  const bare = newOrder(companyId, named.orderId, input, drafted, customer, now)
  const lines = newLines(bare, drafted, {
    language: customer.account.language,
    takeId: named.takeId,
    newCode: input.generate_codes === true ? randomCode : undefined,
  })
  const order = { ...bare, lines: bare.test ? lines : await takeGoods(tx, lines, now) }
  const [document, customerDocument] = await Promise.all([
    insertOrder(tx, order),
    noteSale(tx, customer, order, now),
    countIn(tx, order, now),
    emit(tx, companyId, 'order/create', now, [{ type: 'order', id: String(order.id) }]),
    drafted.discounts.length > 0 && !order.test
      ? countUses(
          tx,
          companyId,
          drafted.discounts.map(({ id }) => id),
          1,
        )
      : undefined,
    confirmByMail(tx, order, now),
    bookSale(tx, order, now),
  ])
  if (order.lines.some(({ kind }) => kind === 'physical')) await openFulfillment(tx, order, drafted.method)
  return wholeDocument({ document, customer: customerDocument })
}

/** Writes what the company knows of the customer after a sale, and answers the customer's document. A test counts for nothing. */
async function noteSale(tx: Tx, { account, own }: OwnCustomer, order: OrderState, now: Date): Promise<string> {
  if (order.test) return (await findCustomerDocument(tx, order.company_id, account.id)) ?? order.buyer
  // Of two at once the one with the smaller id may come last.
  const last_order_id = Math.max(own.last_order_id, order.id)
  const [document] = await saveRelations(tx, account, [
    {
      ...own,
      orders_count: own.orders_count + 1,
      total_spent: own.total_spent + order.home_cents,
      last_order_id,
      last_order_name: orderName(last_order_id),
      updated_at: now,
    },
  ])
  return document!
}

/** An order as it is made, before its lines. */
export function newOrder(
  companyId: number,
  id: number,
  input: OrderInput,
  drafted: DraftedOrder,
  { account, own }: OwnCustomer,
  now: Date,
): OrderState {
  const { totals, method } = drafted
  const [shipping] = totals.shipping
  const kinds = drafted.lines.map(({ kind }) => kind)
  return {
    company_id: companyId,
    id,
    customer_id: account.id,
    customer_token: account.token,
    email: account.email,
    buyer: asciiJson(presentBuyer(account, own)),
    country_code: drafted.country,
    order_number: input.order_number?.trim() ?? '',
    po_number: input.po_number?.trim() ?? '',
    confirmed: input.confirmed ?? true,
    test: input.test ?? false,
    currency: drafted.currency,
    gateway: 'Manual',
    source_name: 'api',
    financial_status: 'paid',
    fulfillment_status: fulfillmentStatus(kinds, false),
    buyer_accepts_marketing: input.buyer_accepts_marketing ?? false,
    customer_notification: (input.customer_notification ?? 1) === 1,
    theme_setting_id: drafted.shopId,
    checkout_id: id,
    checkout_token: randomToken(16),
    visit: visitOf(input),
    taxes_included: drafted.taxesIncluded,
    line_items_cents: totals.lineItems,
    discount_cents: totals.discount,
    net_cents: totals.net,
    tax_cents: totals.tax,
    total_cents: totals.total,
    refunded_cents: 0,
    home_cents: drafted.homeCents,
    home_refunded_cents: 0,
    weight: drafted.lines.reduce((grams, { product, quantity }) => grams + (product.weight ?? 0) * quantity, 0),
    tax_lines: totals.taxLines,
    discount_codes: drafted.discounts,
    shipping_lines:
      method === undefined || shipping === undefined
        ? []
        : [
            {
              title: method.title,
              price: shipping.list,
              tax_lines: [{ price: shipping.net, rate: drafted.shippingRate }],
            },
          ],
    shipping_address: drafted.address,
    created_at: now,
    updated_at: now,
    processed_at: now,
    closed_at: null,
    cancelled_at: null,
    lines: [],
    refunds: [],
    shipments: [],
  }
}

/** Changes the few attributes that can be changed and answers the whole document. */
export async function updateOrder(
  tx: Tx,
  { companyId }: Owner,
  ref: string,
  input: OrderChange,
  now: Date,
): Promise<string> {
  const before = await lockOrder(tx, companyId, ref)
  const { takePartId: takeId } = await takeIds(tx, ORDERS, 0, 1)
  const after = changeOrder(before, presentOrder(before).line_items, input, { now, takeId, findCountry })
  await saveOrder(tx, after)
  if (after.shipping_address !== before.shipping_address) await refreshFulfillment(tx, after, now)
  if (after.confirmed && !before.confirmed) await confirmByMail(tx, after, now)
  return getOrderDocument(tx, companyId, ref)
}

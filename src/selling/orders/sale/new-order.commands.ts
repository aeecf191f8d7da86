import { gramsOf } from '#catalog/products/sale/rules.ts'
import type { AccountState } from '#people/customers/state.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { zip } from '#platform/wire/zip.ts'
import { presentBuyer } from '../buyers/present.ts'
import { newLine } from '../lines/rules.ts'
import { fulfillmentStatus, visitOf } from '../rules.ts'
import type { OrderInput } from '../schema.ts'
import type { Channel, OrderState, ShippingLine } from '../state.ts'
import { isInternational } from '../statistics/rules.ts'
import type { Draft } from './draft.rules.ts'
import type { Pricing } from './pricing.rules.ts'
import { sum } from './totals.rules.ts'

export type NewOrder = {
  id: number
  account: AccountState
  channel: Channel
  checkoutToken: string
  /** The offset of the seller's time zone to UTC in minutes. */
  utcOffset: number
  takeId: () => number
  /** Makes a redemption code for every digital line; undefined if no codes were requested. */
  newCode: (() => string) | undefined
  now: Date
}

/** The order with its lines. It stores its own copy of the products and licenses as they are now. */
export function newOrder(input: OrderInput, draft: Draft, pricing: Pricing, details: NewOrder): OrderState {
  const { id, account, channel, now } = details
  const { totals } = pricing
  const companyId = draft.sale.seller.id
  return {
    company_id: companyId,
    id,
    customer_id: account.id,
    customer_token: account.token,
    email: account.email,
    subscription_id: channel.subscription_id ?? null,
    buyer: asciiJson(presentBuyer(account, draft.known)),
    country_code: draft.sale.country,
    order_number: input.order_number?.trim() ?? '',
    po_number: input.po_number?.trim() ?? '',
    confirmed: input.confirmed ?? true,
    test: (input.test ?? false) || draft.sale.seller.sandbox,
    currency: pricing.currency,
    gateway: channel.gateway,
    source_name: channel.source_name,
    financial_status: channel.financial_status,
    fulfillment_status: fulfillmentStatus({
      financial_status: channel.financial_status,
      lines: draft.lines.map(({ kind, product: { product_type }, quantity }) => ({
        kind,
        product_type,
        quantity,
        refunded_quantity: 0,
      })),
      isShipped: false,
    }),
    buyer_accepts_marketing: input.buyer_accepts_marketing ?? false,
    customer_notification: (input.customer_notification ?? 1) === 1,
    theme_setting_id: draft.shopId,
    checkout_id: id,
    checkout_token: details.checkoutToken,
    visit: {
      ...visitOf(input),
      ...(channel.isGuest === true ? { is_guest: true } : {}),
      ...(channel.host === undefined ? {} : { host: channel.host }),
    },
    taxes_included: pricing.taxesIncluded,
    line_items_cents: totals.lineItems,
    discount_cents: totals.discount,
    net_cents: totals.net,
    tax_cents: totals.tax,
    total_cents: totals.total,
    refunded_cents: 0,
    // A sale in a currency without a rate counts for nothing until a rate is known.
    home_cents: pricing.homeCents ?? 0,
    awaits_rate: pricing.homeCents === undefined,
    home_refunded_cents: 0,
    weight: draft.lines.reduce(
      (grams, { product, binding, quantity }) => grams + gramsOf(product, binding) * quantity,
      0,
    ),
    tax_lines: totals.taxLines,
    discount_codes: pricing.discounts,
    shipping_lines: shippingLines(draft, pricing),
    shipping_address: draft.address,
    withdrawal: draft.lines.some(({ kind }) => kind === 'digital') ? (channel.withdrawal ?? null) : null,
    vat_id: draft.vatId,
    reverse_charge: draft.sale.reverseCharge,
    vat_id_checked_at: channel.vatIdCheck?.checked_at ?? null,
    vat_id_request_id: channel.vatIdCheck?.request_id ?? '',
    utc_offset: details.utcOffset,
    international: isInternational(draft.sale.country, draft.sale.seller.country_code),
    created_at: now,
    updated_at: now,
    processed_at: now,
    closed_at: null,
    cancelled_at: null,
    lines: zip(draft.lines, zip(totals.lines, pricing.rates)).map(([line, [amounts, rate]], position) =>
      newLine(line, {
        company_id: companyId,
        id: details.takeId(),
        order_id: id,
        position,
        amounts,
        rate,
        creditCents: pricing.credits[position] ?? 0,
        currency: pricing.currency,
        language: account.language,
        newCode: details.newCode,
      }),
    ),
    refunds: [],
    shipments: [],
  }
}

function shippingLines({ method }: Draft, { totals, shippingRates }: Pricing): ShippingLine[] {
  if (method === undefined) return []
  const tax_lines = zip(totals.shipping, shippingRates).map(([{ net, tax }, rate]) => ({ price: net, rate, tax }))
  return [{ title: method.title, price: sum(totals.shipping.map(({ list }) => list)), tax_lines }]
}

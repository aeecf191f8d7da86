import type { Kind } from '#catalog/products/sale/rules.ts'
import type { ForSale } from '#catalog/products/sale/state.ts'
import type { AddressState } from '#identity/addresses/state.ts'
import type { Seller } from '#identity/companies/state.ts'
import type { DiscountCodeState } from '#selling/discount-codes/state.ts'
import type { PricedMethod } from '#selling/shipping-methods/state.ts'
import type { OwnRates } from '#selling/taxes/rules.ts'
import type { RefundState } from './refunds/state.ts'
import type { Rentals } from './sale/credits.rules.ts'
import type { TaxLine } from './sale/totals.rules.ts'

/** How an order came about. Checkout and the API sell through the same command. */
export type Channel = {
  source_name: 'api' | 'webshop' | 'in app'
  gateway: string
  financial_status: FinancialStatus
  /** Absent where nobody was asked. */
  withdrawal?: Withdrawal
  /** Absent where the tax authorities were not asked, or did not answer. */
  vatIdCheck?: { request_id: string; checked_at: Date }
  /** Did somebody order who was not signed in, and may have typed any address? */
  isGuest?: boolean
  /** The host of the shop at which somebody ordered; absent on the service's own. */
  host?: string
  /** The subscription that the order is a period of. Its subscribers get no rights of their own. */
  subscription_id?: number
}

/** What is known of a sale only where the customer was asked. */
export type KnownAtCheckout = Pick<Channel, 'withdrawal' | 'vatIdCheck' | 'isGuest' | 'host'>

/**
 * What a customer was told about the right to withdraw from buying digital content: with consent it starts at once and the
 * right is lost, without consent it starts when the time to withdraw is over.
 */
export type Withdrawal = {
  consented: boolean
  /** The text that the customer saw. */
  text: string
  /** Null: at once. */
  usable_from: string | null
}

/** Everything that a sale depends on, read before anything is decided. */
export type SaleContext = {
  seller: Seller
  /** The tax rates that the seller has set itself. */
  ownRates: OwnRates
  shopId: number | undefined
  /** The offset of the seller's time zone to UTC in minutes. */
  utcOffset: number
  orderId: number
  /** Ids of the lines, and of an address. */
  takeId: () => number
  /** By id or `product_id`, as the order names them. */
  products: ReadonlyMap<string, ForSale>
  /** As the order spells them. */
  codes: ReadonlyMap<string, DiscountCodeState>
  /** Empty unless something may have to be shipped. */
  methods: readonly PricedMethod[]
  /** What the customer has rented and buys now. */
  rentals: Rentals
}

/** Pending: an order of a shop that is not paid yet. */
export type FinancialStatus = 'pending' | 'paid' | 'partially_refunded' | 'refunded'

/** Null means not yet shipped. */
export type FulfillmentStatus = 'fulfilled' | 'partial' | null

/** How an order is stored, filtered and counted: a cancelled one has no goods that wait to be shipped. */
export type StoredFulfillmentStatus = FulfillmentStatus | 'cancelled'

/** Where the customer came from and with which device, as far as it is known. */
export type Visit = {
  browser_ip: string
  device_id: string | null
  landing_site: string | null
  landing_site_ref: string | null
  referring_site: string | null
  location_id: string | null
  source: string | null
  source_identifier: string | null
  /** Somebody ordered in a shop without signing in, and may have typed any address. */
  is_guest?: true
  /** The customer was erased, and nothing above is known any more. */
  is_forgotten?: true
  /** The host of the shop at which it was ordered. Mails lead there, because the browser is known there. */
  host?: string
}

/** A discount code as it was used: what it took off, in cents. */
export type DiscountUse = { id: number; code: string; type: 'percentage' | 'fixed_amount'; amount: number }

/** The chosen shipping method with its price, tax included. */
/** Orders that are older than tax classes have one rate for shipping, and do not say its tax. */
export type ShippingLine = { title: string; price: number; tax_lines: (TaxLine & { tax?: number })[] }

export type OrderLineState = {
  company_id: number
  id: number
  order_id: number
  position: number
  product_key: number
  product_id: string
  product_type: number
  license_id: number | null
  license_title: string | null
  hd: boolean
  /** Null unless the binding was sold by it. */
  audio_type: number | null
  num_users: number | null
  /** The product that was chosen of a variation. */
  chosen_product_id: string | null
  title: string
  name: string
  version: string
  sku: string
  gtin: string
  quantity: number
  grams: number
  kind: Kind
  /** Did its license expire when it was sold? */
  rental: boolean
  /** The price of one item without tax and discount. */
  price_cents: number
  /** The price of all items with tax, before the discount. */
  list_cents: number
  discount_cents: number
  net_cents: number
  tax_cents: number
  tax_rate: number
  product_exists: boolean
  code: string | null
  owner_id: number | null
  original_key: number | null
  share_percent: number | null
  /** What the owner of a mirrored product gets for the line. */
  share_cents: number
  /** How many came out of a managed stock, and have not been put back. */
  stock_taken: number
  refunded_quantity: number
  refunded_cents: number
  /** By how much it is cheaper, with tax, because what was paid for a rental of the same content is credited. */
  credit_cents: number
  /** That rental; null if there is none, or the purchase was undone. A rental is credited once. */
  credited_entitlement_id: number | null
}

/** An order's own row. */
export type OrderRow = {
  company_id: number
  id: number
  customer_id: number
  customer_token: string
  email: string
  /** The subscription that it is a period of; null for every other order. */
  subscription_id: number | null
  /** The copy of the customer's document, shown once the company has removed the customer. */
  buyer: string
  country_code: string
  order_number: string
  po_number: string
  confirmed: boolean
  test: boolean
  currency: string
  gateway: string
  source_name: string
  financial_status: FinancialStatus
  fulfillment_status: FulfillmentStatus
  buyer_accepts_marketing: boolean
  /** Does the customer get mails about it? */
  customer_notification: boolean
  theme_setting_id: number
  checkout_id: number
  checkout_token: string
  visit: Visit
  taxes_included: boolean
  line_items_cents: number
  discount_cents: number
  net_cents: number
  tax_cents: number
  total_cents: number
  refunded_cents: number
  /** In the currency of the company, at the rate of the day. */
  home_cents: number
  /** There was no rate to convert the total with, so that `home_cents` is 0. */
  awaits_rate: boolean
  home_refunded_cents: number
  weight: number
  tax_lines: TaxLine[]
  discount_codes: DiscountUse[]
  shipping_lines: ShippingLine[]
  shipping_address: AddressState | null
  withdrawal: Withdrawal | null
  /** Of a business customer; empty: none was given. */
  vat_id: string
  /** The customer owes the tax, so none is charged. */
  reverse_charge: boolean
  /** When the tax authorities confirmed the VAT id; null: only its form was checked. */
  vat_id_checked_at: Date | null
  /** The number of that inquiry; empty if there is none. */
  vat_id_request_id: string
  /** The offset of the company's time zone to UTC in minutes, when the order was placed. It decides on the day. */
  utc_offset: number
  /** Was the customer in another country than the company, when the order was placed? */
  international: boolean
  created_at: Date
  updated_at: Date
  processed_at: Date
  closed_at: Date | null
  cancelled_at: Date | null
}

/** What was shipped, and when. */
export type Shipment = { id: number; created_at: Date; line_ids: number[] }

/** An order with all its parts. */
export type OrderState = OrderRow & { lines: OrderLineState[]; refunds: RefundState[]; shipments: Shipment[] }

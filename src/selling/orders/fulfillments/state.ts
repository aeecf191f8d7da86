import type { AddressState } from '#identity/addresses/state.ts'
import type { FulfillmentStatus } from './schema.ts'

export type FulfilledLine = {
  id: number
  product_id: string
  title: string
  version: string
  quantity: number
  gtin: string
  grams: number
}

/** How many of which line were in the parcel. */
export type ShippedLine = { id: number; quantity: number }

/** What is to be shipped for one order, under the id of the order, with fields of the order that it shows. */
export type FulfillmentState = {
  company_id: number
  id: number
  /** The company that ships for this one. */
  partner_id: number | null
  status: FulfillmentStatus
  tracking_company: string
  tracking_number: string
  /** A URL with {tracking_number} as a placeholder. */
  tracking_template: string
  /** Id of the entry in the order's own list, once it is shipped. */
  entry_id: number | null
  shipped_at: Date | null
  shipped_lines: ShippedLine[] | null
  /** Nothing is left to ship, because the order was cancelled or fully refunded. The fulfillment is no longer shown. */
  cancelled: boolean
  created_at: Date
  updated_at: Date
  customer_token: string
  shipping_address: AddressState | null
  lines: FulfilledLine[]
}

import type { Schemas } from '@licet/client'
import type { Customer } from '../customers/queries.ts'
import { lineOf } from '../products/offer.tsx'
import type { Product } from '../products/queries.ts'

export const KINDS = ['bill', 'paid', 'free'] as const

export type Kind = (typeof KINDS)[number]

export type DraftLine = { key: number; product: Product; offer: number; quantity: number }

export type OrderDraft = {
  customer: Customer | undefined
  /** Of somebody who is not a customer yet. */
  email: string
  first_name: string
  last_name: string
  address1: string
  zip: string
  city: string
  country: string
  lines: readonly DraftLine[]
  kind: Kind
  reason: string
  code: string
  notify: boolean
}

export const EMPTY_DRAFT: OrderDraft = {
  customer: undefined,
  email: '',
  first_name: '',
  last_name: '',
  address1: '',
  zip: '',
  city: '',
  country: '',
  lines: [],
  kind: 'bill',
  reason: '',
  code: '',
  notify: true,
}

const GOODS = 6

/** Is an address asked for? Goods go somewhere, and somebody new lives somewhere. */
export function needsAddress({ customer, lines, email }: OrderDraft): boolean {
  const hasGoods = lines.some(({ product }) => product.product_type === GOODS)
  return customer === undefined ? email !== '' : hasGoods && customer.default_address == null
}

/** The order as the API takes it. Nothing is created before there is a reason, but what costs nothing is shown as such. */
export function inputOf(draft: OrderDraft): Schemas['OrderInput'] {
  const { customer, email, first_name, last_name, address1, zip, city, country, kind, reason, code } = draft
  const address = { first_name, last_name, address1, zip, city, country }
  const isPlaced = [address1, zip, city, country].some((text) => text.trim() !== '')
  const addresses = isPlaced ? { addresses: [address] } : {}
  return {
    ...(customer === undefined
      ? { customer: { email, first_name, last_name, ...addresses } }
      : { customer_token: customer.token, ...(isPlaced ? { customer: addresses } : {}) }),
    line_items: draft.lines.map(({ product, offer, quantity }) => lineOf(product, offer, quantity)),
    ...(kind === 'bill' ? { on_account: true } : {}),
    ...(kind === 'free' ? { free_reason: reason.trim() || '-' } : {}),
    ...(code.trim() === '' || kind === 'free' ? {} : { discount_codes: [{ code: code.trim() }] }),
    customer_notification: draft.notify ? 1 : 0,
  }
}

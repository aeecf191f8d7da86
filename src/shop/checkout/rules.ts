import { isInEu } from '#identity/addresses/vat-rates.facts.ts'
import { isUnpaidBill } from '#selling/orders/rules.ts'
import type { Keeps, RentalOwner } from '#selling/orders/sale/credits.rules.ts'
import type { OrderInput } from '#selling/orders/schema.ts'
import type { OrderState, Withdrawal } from '#selling/orders/state.ts'
import { gatewayNamed } from '#selling/payments/gateways/table.facts.ts'
import { endsSoon, readGatewayName } from '#selling/payments/rules.ts'
import type { PaymentState } from '#selling/payments/state.ts'
import type { ShopVisit } from '#shop/site/state.ts'
import type { CartLine, CartState, CheckoutDetails, Contents, Shopper, ShopperPlace } from './state.ts'

export const LINES_MAX = 100
export const QUANTITY_MAX = 999

export const NO_DETAILS: CheckoutDetails = {
  email: '',
  first_name: '',
  last_name: '',
  company: '',
  vat_id: '',
  po_number: '',
  address1: '',
  address2: '',
  zip: '',
  city: '',
  province: '',
  country: '',
  phone: '',
  accepts_marketing: false,
  shipping_method: '',
  is_gift: false,
  gift_email: '',
  gift_name: '',
  gift_from: '',
  gift_message: '',
  gift_day: '',
  placed: '',
}

export const NO_PLACE: ShopperPlace = { country: '', currency: '', language: '' }

export const EMPTY: Contents = { lines: [], discount_code: '', details: NO_DETAILS }

/** Are two lines the same offer? Then they are one line with a quantity. */
function isSameOffer(a: CartLine, b: CartLine): boolean {
  return (
    a.product_id === b.product_id &&
    a.license_id === b.license_id &&
    a.hd === b.hd &&
    a.audio_type === b.audio_type &&
    a.num_users === b.num_users &&
    a.chosen_product_id === b.chosen_product_id
  )
}

const bounded = (quantity: number) => Math.min(QUANTITY_MAX, Math.max(1, quantity))

/**
 * The lines with another one. Goods add up. Content does not: pressing "Rent" twice is a slip, and whoever wants it twice
 * changes the quantity in the cart. One piece keeps a rental.
 */
export function withLine(lines: readonly CartLine[], added: CartLine, addsUp: boolean): CartLine[] {
  const place = lines.findIndex((line) => isSameOffer(line, added))
  if (place === -1)
    return lines.length < LINES_MAX ? [...lines, { ...added, quantity: bounded(added.quantity) }] : [...lines]
  return lines.map((line, index) => {
    if (index !== place) return line
    if (added.keeps !== undefined) return { ...line, keeps: added.keeps, quantity: 1 }
    return addsUp ? { ...line, quantity: bounded(line.quantity + added.quantity) } : line
  })
}

/** The lines with another quantity of one of them; 0 removes it. */
export function withQuantity(lines: readonly CartLine[], index: number, quantity: number): CartLine[] {
  if (quantity <= 0) return lines.filter((_, place) => place !== index)
  return lines.map((line, place) =>
    place === index && line.keeps === undefined ? { ...line, quantity: bounded(quantity) } : line,
  )
}

/**
 * A customer who signs in with a cart finds the lines of both: those of the other device, and those of this one. A
 * quantity that both have is not doubled, because it is often the same wish.
 */
export function merged(kept: Contents, brought: Contents): Contents {
  const added = brought.lines.filter((line) => !kept.lines.some((known) => isSameOffer(known, line)))
  return {
    lines: [...kept.lines, ...added].slice(0, LINES_MAX),
    discount_code: brought.discount_code || kept.discount_code,
    details: isUntouched(brought.details) ? kept.details : brought.details,
  }
}

/**
 * What is in the carts of a shopper. The order that a guest has placed is not that of the customer who signs in afterwards:
 * they may share a computer.
 */
export function contentsOf(
  { customerId }: Pick<Shopper, 'customerId'>,
  carts: readonly (Contents & Pick<CartState, 'customer_id'>)[],
): Contents {
  return carts
    .map(({ customer_id, details, ...cart }) => {
      const isOwn = customerId === undefined || customer_id !== null
      return { ...cart, details: isOwn ? details : { ...details, placed: '' } }
    })
    .reduce(merged, EMPTY)
}

/** Has nothing been entered yet? */
function isUntouched({ email, country, placed }: CheckoutDetails): boolean {
  return email === '' && country === '' && placed === ''
}

export function countOf(lines: readonly CartLine[]): number {
  return lines.reduce((count, { quantity }) => count + quantity, 0)
}

/** Where the customer is: as entered at checkout, else as the visit suggests. */
export function countryOf({ details }: Contents, visitorCountry: string): string {
  return details.country || visitorCountry
}

function addressOf(details: CheckoutDetails, country: string) {
  const { first_name, last_name, company, address1, address2, zip, city, province, phone } = details
  return { first_name, last_name, company, address1, address2, zip, city, province, phone, country_code: country }
}

/** Does somebody buy for a business? */
function isBusiness({ company, vat_id }: CheckoutDetails): boolean {
  return company !== '' || vat_id !== ''
}

export type OrderPlace = { shopId: number; currency: string; country: string }

/** The order that a cart stands for: the same body that an app would send. */
export function orderOf(cart: Contents, { shopId, currency, country }: OrderPlace): OrderInput {
  const { lines, discount_code, details } = cart
  const address = addressOf(details, country)
  return {
    theme_setting_id: shopId,
    currency,
    line_items: lines.map(({ license_id, hd, audio_type, num_users, chosen_product_id, keeps: _keeps, ...line }) => ({
      ...line,
      ...(license_id === null ? {} : { license_id }),
      ...(hd === null ? {} : { hd }),
      ...(audio_type === null ? {} : { audio_type }),
      ...(num_users === null ? {} : { num_users }),
      ...(chosen_product_id === null ? {} : { chosen_product_id }),
    })),
    customer: { first_name: details.first_name, last_name: details.last_name, addresses: [address] },
    shipping_address: address,
    ...(details.vat_id === '' ? {} : { vat_id: details.vat_id }),
    ...(isBusiness(details) && details.po_number ? { po_number: details.po_number } : {}),
    ...(discount_code === '' ? {} : { discount_codes: [{ code: discount_code }] }),
    ...(details.shipping_method === '' ? {} : { shipping_lines: [{ title: details.shipping_method }] }),
    buyer_accepts_marketing: details.accepts_marketing,
    generate_codes: details.is_gift,
  }
}

/**
 * Whose rentals a visitor may keep. A guest may type any address at checkout, so it has to be that of the orders that are open
 * in this browser.
 */
export function rentalOwnerOf(
  { shop, customer, guest }: Pick<ShopVisit, 'shop' | 'customer' | 'guest'>,
  email: string,
): RentalOwner | undefined {
  const companyId = shop.company_id
  if (customer !== undefined) return { companyId, customerId: customer.id, orderIds: null }
  if (guest === undefined) return undefined
  const isOther = email !== '' && email.toLowerCase() !== guest.customer.email.toLowerCase()
  return isOther ? undefined : { companyId, customerId: guest.customer.id, orderIds: guest.session.orderIds }
}

/** The lines of a cart that keep a rental; undefined if none does. */
export function keepsOf(cartLines: readonly CartLine[], owner: RentalOwner | undefined): Keeps | undefined {
  const lines = cartLines.flatMap(({ keeps }, index) => (keeps === undefined ? [] : { index, entitlementId: keeps }))
  return lines.length === 0 ? undefined : { owner, lines }
}

/** Orders of one customer that may wait for their payment at once. */
const UNPAID_ORDERS_MAX = 10

/**
 * How many pieces they may have. Every piece of content is a row, and every piece of goods is kept from others, so that
 * nobody can fill the tables or empty the stock without paying. Anybody can be a guest, with any address.
 */
const UNPAID_PIECES_MAX = { member: 2000, guest: 200 }

export type Unpaid = { orders: number; pieces: number }

/** May an order wait for its payment beside those of the customer that do already? */
export function mayWait(unpaid: Unpaid, pieces: number, isGuest: boolean): boolean {
  const max = isGuest ? UNPAID_PIECES_MAX.guest : UNPAID_PIECES_MAX.member
  return unpaid.orders < UNPAID_ORDERS_MAX && unpaid.pieces + pieces <= max
}

/** Each part of a collection is a piece of its own. */
export function piecesOf(lines: readonly { quantity: number; parts: readonly unknown[] | null }[]): number {
  return lines.reduce((sum, { quantity, parts }) => sum + quantity * (parts?.length ?? 1), 0)
}

/** The time to withdraw from a purchase at a distance in the EU. */
const WITHDRAWAL_DAYS = 14

export function withdrawalEnd(now: Date): Date {
  return new Date(now.getTime() + WITHDRAWAL_DAYS * 86_400_000)
}

type Bought = { kind: string; binding: { license: { terms: { expiration_date: string | null } } | null } }

/** May the customer withdraw? Companies have no such right, and a gift starts when somebody redeems it. */
export function mayWithdraw({ details }: Pick<Contents, 'details'>, country: string): boolean {
  return details.vat_id === '' && !details.is_gift && isInEu(country)
}

/** Has the customer to be asked whether digital content starts at once? */
export function needsConsent(lines: readonly Bought[], cart: Pick<Contents, 'details'>, country: string): boolean {
  return mayWithdraw(cart, country) && lines.some(({ kind }) => kind === 'digital')
}

/** Does something end before it could be used? Then it can only be sold to start at once. */
export function endsBefore(lines: readonly Bought[], start: Date): boolean {
  return lines.some(({ binding }) => {
    const end = binding.license?.terms.expiration_date ?? null
    return end !== null && new Date(end) <= start
  })
}

export function withdrawalOf(consented: boolean, text: string, now: Date): Withdrawal {
  return { consented, text, usable_from: consented ? null : withdrawalEnd(now).toISOString() }
}

/** How a bill is paid, and until when it keeps what was ordered. */
export function billOf(
  order: OrderState,
  kept_until: Date | undefined,
  offers: readonly { name: string; instructions: string }[],
  now: Date,
) {
  return {
    kept_until,
    ends_soon: kept_until !== undefined && endsSoon(kept_until, now),
    // Money that is on its way is not to be paid a second time.
    instructions: isUnpaidBill(order) ? offers.find(({ name }) => name === 'Manual')?.instructions : undefined,
  }
}

type LineForm = Record<keyof CartLine, string>

const numberIn = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : null)

/** The line that the form of an offer asks for; undefined if it names no product. */
export function readLine(form: LineForm): CartLine | undefined {
  const product_id = form.product_id.trim()
  if (!/^[\dA-Fa-f-]{1,50}$/.test(product_id)) return undefined
  const keeps = numberIn(form.keeps)
  return {
    product_id: product_id.toUpperCase(),
    license_id: numberIn(form.license_id),
    hd: form.hd === '' ? null : form.hd === 'true' || form.hd === '1',
    audio_type: numberIn(form.audio_type),
    num_users: numberIn(form.num_users),
    chosen_product_id: form.chosen_product_id.trim() || null,
    quantity: keeps === null ? (numberIn(form.quantity) ?? 1) : 1,
    ...(keeps === null ? {} : { keeps }),
  }
}

type Placed = {
  order: Pick<OrderState, 'cancelled_at' | 'financial_status'>
  payment: Pick<PaymentState, 'status' | 'gateway'> | undefined
}

/** How an attempt to pay has ended, as the page of the order says it; undefined if it has not. */
export function endOf(payment: Placed['payment']): 'declined' | 'given_up' | undefined {
  if (payment?.status === 'failed') return 'declined'
  return payment?.status === 'cancelled' ? 'given_up' : undefined
}

/** Where an order stands for its customer. Money that is on its way is waited for, as a bill is. */
export function stateOf(
  order: Placed['order'],
  payment: Placed['payment'],
): 'paid' | 'waiting' | 'cancelled' | 'unpaid' {
  if (order.cancelled_at !== null) return 'cancelled'
  if (order.financial_status !== 'pending') return 'paid'
  return payment?.status === 'pending' || payment?.gateway === 'Manual' ? 'waiting' : 'unpaid'
}

/** Is the number of a card missing, which the way to pay asks for in the shop? */
export function needsCard(gateway: string, card: string): boolean {
  const name = readGatewayName(gateway)
  return name !== undefined && gatewayNamed(name).kind.cards !== undefined && card.trim() === ''
}

/** The cart that an order came from, as far as the order knows it. */
export function cartOfOrder({ lines, discount_codes, email, country_code }: OrderState): Contents {
  return {
    lines: lines.map(({ product_id, license_id, hd, audio_type, num_users, chosen_product_id, quantity, ...line }) => ({
      product_id,
      license_id,
      hd: hd || null,
      audio_type,
      num_users,
      chosen_product_id,
      quantity,
      ...(line.credited_entitlement_id === null ? {} : { keeps: line.credited_entitlement_id }),
    })),
    discount_code: discount_codes[0]?.code ?? '',
    details: { ...NO_DETAILS, email, country: country_code },
  }
}

import { findCountry } from '#identity/addresses/countries.facts.ts'
import { type AddressContext, isPlace } from '#identity/addresses/rules.ts'
import { joinAddresses } from '#people/customers/addresses/rules.ts'
import type { CustomerAddressState } from '#people/customers/addresses/state.ts'
import type { FieldPaths, LanguageHints } from '#people/customers/rules.ts'
import type { CustomerInput } from '#people/customers/schema.ts'
import type { RelationState } from '#people/customers/state.ts'
import { fieldInvalid } from '#platform/errors/faults.ts'
import { type FieldReport, validationFailed } from '#platform/errors/problem.ts'
import { EMAIL_PATTERN } from '#platform/wire/schema.ts'
import { orderName } from '../rules.ts'
import type { OrderInput } from '../schema.ts'
import type { OrderRow } from '../state.ts'
import { customerRequired } from './errors.ts'

const EMAIL = new RegExp(EMAIL_PATTERN)

export type Identity =
  | { kind: 'token'; token: string; path: string }
  | { kind: 'email'; email: string; password: string | undefined; details: CustomerInput; paths: FieldPaths }

type Given = { path: string; value: string }

/** The first text that says something, with its path. */
function firstGiven(...texts: [path: string, text: string | null | undefined][]): Given | undefined {
  for (const [path, text] of texts) if (text?.trim()) return { path, value: text.trim() }
  return undefined
}

/**
 * The customer that an order names. A token wins over an email address, and the customer's fields over the order's. What
 * else is said beside a token decides nothing.
 */
export function readIdentity(order: OrderInput, query: { email?: string }): Identity {
  const customer = order.customer ?? {}
  const token = firstGiven(['customer_token', order.customer_token], ['customer.token', customer.token])
  if (token !== undefined) return { kind: 'token', token: token.value, path: token.path }
  const given = firstGiven(['customer.email', customer.email], ['email', order.email], ['email', query.email])
  if (given === undefined) throw validationFailed('customer', customerRequired())
  const { value: email, path } = given
  if (!EMAIL.test(email)) throw validationFailed(path, fieldInvalid('is not an email address'))
  const { token: _token, email: _email, ...details } = customer
  // A password may begin or end with a blank.
  const password = customer.password || order.password || undefined
  const paths = {
    email: path,
    password: !customer.password && order.password ? 'password' : 'customer.password',
    password_confirmation: 'customer.password_confirmation',
    details: 'customer.',
  }
  return { kind: 'email', email, password, details, paths }
}

/** What an order tells of the language of a new customer. */
export function hintsOf({ shipping_address }: OrderInput, acceptLanguage: string): LanguageHints {
  const { country_code, country, country_name } = shipping_address ?? {}
  const spelled = [country_code, country, country_name].find((text) => text?.trim())
  const found = spelled ? findCountry(spelled) : undefined
  return { country: found?.code ?? '', acceptLanguage }
}

/** What the company knows of the customer with an order, and the address that counts for the order. */
export type Known = { own: RelationState; home: CustomerAddressState | undefined }

const defaultOf = ({ addresses }: Pick<RelationState, 'addresses'>) => addresses.find((address) => address.default)

/** The customer of an order that brings nothing: the default address counts. */
export function asKnown(own: RelationState): Known {
  return { own, home: defaultOf(own) }
}

/**
 * The customer after an order. Addresses that it brings count for it: the one that is marked as default, else the first.
 * They are added to those of the company while there is room, and so are names that the company lacks.
 */
export function learnFrom(
  own: RelationState,
  sent: Pick<CustomerInput, 'first_name' | 'last_name' | 'addresses'>,
  context: AddressContext,
  report: FieldReport,
): Known {
  const { first_name, last_name, addresses: brought = [] } = sent
  if (!first_name && !last_name && brought.length === 0) return asKnown(own)
  const joined = joinAddresses(own.addresses, brought, context, report)
  const after = {
    ...own,
    first_name: own.first_name || (first_name ?? ''),
    last_name: own.last_name || (last_name ?? ''),
    addresses: joined.addresses,
  }
  return { own: after, home: joined.sent.find(isPlace) ?? defaultOf(after) }
}

/** Where a customer is, for prices and taxes. An address without a country leaves the country of the default address. */
export function countryOf({ own, home }: Known): string {
  return home?.country_code || (defaultOf(own)?.country_code ?? '')
}

/**
 * Does an order count in the customer's totals? A test does not, nor does an order from before the company removed the
 * customer and added them again.
 */
export function isCounted(
  { created_at }: Pick<RelationState, 'created_at'>,
  order: Pick<OrderRow, 'test' | 'created_at'>,
): boolean {
  return !order.test && created_at <= order.created_at
}

type Sold = Pick<OrderRow, 'id' | 'home_cents' | 'home_refunded_cents'>

/** The customer's totals after a sale. Of two sales at once, the one with the lower id may be counted last. */
export function withSale(own: RelationState, order: Sold, now: Date): RelationState {
  const last_order_id = Math.max(own.last_order_id, order.id)
  return {
    ...own,
    orders_count: own.orders_count + 1,
    total_spent: own.total_spent + order.home_cents - order.home_refunded_cents,
    last_order_id,
    last_order_name: orderName(last_order_id),
    updated_at: now,
  }
}

/** The customer's totals after a cancellation. `lastId` is the latest remaining order, 0 if there is none. */
export function withoutSale(own: RelationState, order: Sold, lastId: number, now: Date): RelationState {
  return {
    ...own,
    orders_count: Math.max(0, own.orders_count - 1),
    total_spent: own.total_spent - (order.home_cents - order.home_refunded_cents),
    last_order_id: lastId,
    last_order_name: lastId === 0 ? '' : orderName(lastId),
    updated_at: now,
  }
}

/** The customer's totals when an order that was sold in a currency without a rate can be converted. */
export function withRate(own: RelationState, order: Sold, now: Date): RelationState {
  return { ...own, total_spent: own.total_spent + order.home_cents - order.home_refunded_cents, updated_at: now }
}

/** The customer's totals after a refund. The order still counts. */
export function withRefund(own: RelationState, refund: { home_cents: number }, now: Date): RelationState {
  return { ...own, total_spent: own.total_spent - refund.home_cents, updated_at: now }
}

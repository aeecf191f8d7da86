import type { CustomerInput } from '#customers/schema.ts'
import type { RelationState } from '#customers/state.ts'
import { validationFailed } from '#platform/problem.ts'
import { EMAIL_PATTERN } from '#users/schema.ts'
import type { OrderInput } from '../schema.ts'
import type { OrderRow } from '../state.ts'

export type Identity =
  | { kind: 'token'; token: string }
  | { kind: 'email'; email: string; password: string | undefined; details: CustomerInput }

const given = (...texts: (string | null | undefined)[]) => texts.find((text) => text?.trim())?.trim()

/** Whom an order names: a token comes before an e-mail address, and the customer's own fields before the order's. */
export function readIdentity(order: OrderInput, query: { email?: string }): Identity {
  const customer = order.customer ?? {}
  const token = given(order.customer_token, customer.token)
  if (token !== undefined) return { kind: 'token', token }
  const email = given(customer.email, order.email, query.email)
  if (email === undefined) throw validationFailed({ customer: ['is required: a token, or an e-mail address'] })
  if (!new RegExp(EMAIL_PATTERN).test(email)) throw validationFailed({ email: ['is not an e-mail address'] })
  const { token: _token, ...details } = customer
  // A password may begin or end with a blank.
  const password = customer.password || order.password || undefined
  return { kind: 'email', email, password, details }
}

/**
 * Is an order in the numbers that the company has of the customer? A test is not, nor is one from before the company gave
 * the customer up and came to know them anew.
 */
export function isCounted(
  { created_at }: Pick<RelationState, 'created_at'>,
  order: Pick<OrderRow, 'test' | 'created_at'>,
): boolean {
  return !order.test && created_at <= order.created_at
}

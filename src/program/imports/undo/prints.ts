import { createHash } from 'node:crypto'
import type { CategoryState } from '#catalog/categories/state.ts'
import type { PriceState } from '#catalog/prices/state.ts'
import { printOf } from '#catalog/products/former/rules.ts'
import type { ProductState } from '#catalog/products/state.ts'
import type { RedeemedCode } from '#rights/redemption-codes/past-sales/queries.ts'
import type { CustomerParts } from './uses.queries.ts'

/** A thing that an import has created is recognised by this, without a second copy of it. */
export type Print = { print: string }

const hashOf = (text: string): Print => ({ print: createHash('sha256').update(text).digest('base64') })

export const productPrint = (product: ProductState): Print => hashOf(printOf(product))

export const pricePrint = (price: PriceState): Print => hashOf(JSON.stringify(priceParts(price)))

export const categoryPrint = ({ title, comment, enabled, parent_id, locales }: CategoryState): Print =>
  hashOf(JSON.stringify({ title, comment, enabled, parent_id, locales }))

export const customerPrint = (parts: CustomerParts): Print => hashOf(JSON.stringify(inOrder(parts)))

/** What an import has given stays as long as nobody has used it. */
export const codePrint = ({ id: _id, title: _title, ...code }: RedeemedCode): Print => hashOf(JSON.stringify(code))

/** What an import can change about a price. */
export function priceParts({ title, valid, countries, currencies }: PriceState) {
  return { title, valid, countries, currencies }
}

/** What an import can change about a customer. */
export function detailsOf({ first_name, last_name, note, addresses, language }: CustomerParts) {
  return { first_name, last_name, note, addresses, language }
}

function inOrder({ state, verified_email, has_password, ...parts }: CustomerParts) {
  return { ...detailsOf({ ...parts, state, verified_email, has_password }), state, verified_email, has_password }
}

type Fields = Record<string, unknown>

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The fields that a change has changed, as they were and as they are. */
export function changedFields(before: Fields, after: Fields): { before: Fields; after: Fields } {
  const names = Object.keys(after).filter((name) => !isSame(before[name], after[name]))
  const pick = (fields: Fields) => Object.fromEntries(names.map((name) => [name, fields[name]]))
  return { before: pick(before), after: pick(after) }
}

/** The fields of a change that are still as it has left them, and those that somebody has changed since. */
export function compareFields(now: Fields, after: Fields): { same: string[]; changed: string[] } {
  const names = Object.keys(after)
  return {
    same: names.filter((name) => isSame(now[name], after[name])),
    changed: names.filter((name) => !isSame(now[name], after[name])),
  }
}

export function isPrint(after: object, { print }: Print): boolean {
  return 'print' in after && after.print === print
}

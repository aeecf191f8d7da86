import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { beginsWith, type Row } from '#platform/db/expressions.ts'
import type { Optional } from '#platform/db/filters.ts'
import { relationsOf } from './queries.ts'

/**
 * What somebody typed to find a customer: up to three words that begin a name, several words as they begin a whole name, and a
 * word that begins an address.
 */
export type CustomerWords = Optional<{
  name: string
  otherName: string
  thirdName: string
  wholeName: string
  address: string
}>

/** Only what has an at sign is looked for among addresses. */
export function readWords(typed: string): CustomerWords {
  const words = typed.split(/\s+/).filter((word) => word !== '')
  const names = words.filter((word) => !word.includes('@'))
  // More words than these are found as they stand, in the whole name.
  const [name, otherName, thirdName] = names.length > 3 ? [] : names
  const wholeName = names.length > 1 ? names.join(' ') : undefined
  return { name, otherName, thirdName, wholeName, address: words.find((word) => word.includes('@')) }
}

/** The customers of a company whose name begins with a text, or whose token it is. Each part has an index. */
function idsNamed(companyId: number, text: string): RawBuilder<unknown> {
  const named = (column: 'first_name' | 'last_name') =>
    sql`select named.customer_id from customer_relations as named where named.company_id = ${companyId}
      and ${beginsWith(sql<string>`lower(${sql.ref(`named.${column}`)})`, text)}`
  return sql`(${named('first_name')} union ${named('last_name')}
    union select customers.id from customers where customers.token = upper(${text}::text))`
}

function idsAddressed(companyId: number, text: string): RawBuilder<unknown> {
  return sql`(select customers.id from customers
    inner join customer_relations as addressed on addressed.customer_id = customers.id
    where addressed.company_id = ${companyId} and ${beginsWith(sql<string>`lower(customers.email)`, text)})`
}

/**
 * The customers whose first and last names, in this order or the other, begin with a text. Its first word begins one of the two,
 * for which there are indexes.
 */
function idsCalled(companyId: number, text: string): RawBuilder<unknown> {
  const firstWord = sql<Row<'customer_relations'>['first_name']>`split_part(${text}::text, ' ', 1)`
  const called = (one: 'first_name' | 'last_name', other: 'first_name' | 'last_name') => {
    const [own, others] = [sql.ref(`called.${one}`), sql.ref(`called.${other}`)]
    const name = sql<Row<'customer_relations'>['first_name']>`lower(${own})`
    const whole = sql<Row<'customer_relations'>['first_name']>`lower(${own} || ' ' || ${others})`
    return sql`select called.customer_id from customer_relations as called
      where called.company_id = ${companyId} and ${beginsWith(name, firstWord)} and ${beginsWith(whole, text)}`
  }
  return sql`(${called('first_name', 'last_name')} union ${called('last_name', 'first_name')})`
}

/**
 * The ids of the customers that all the words fit; undefined if there are no words. They are one set: PostgreSQL would
 * compare each id of one condition with each of another.
 */
export function idsFitting(companyId: number, words: CustomerWords): RawBuilder<unknown> | undefined {
  const byNames = idsByNames(companyId, words)
  const byAddress = words.address === undefined ? undefined : idsAddressed(companyId, words.address)
  const parts = [byNames, byAddress].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : sql.join(parts, sql` intersect `)
}

/** Each word begins a name, or all together do. */
function idsByNames(
  companyId: number,
  { name, otherName, thirdName, wholeName }: CustomerWords,
): RawBuilder<unknown> | undefined {
  const named = [name, otherName, thirdName].filter((word) => word !== undefined)
  const each = named.map((word) => idsNamed(companyId, word))
  const sets = [
    ...(each.length === 0 ? [] : [sql`(${sql.join(each, sql` intersect `)})`]),
    ...(wholeName === undefined ? [] : [idsNamed(companyId, wholeName), idsCalled(companyId, wholeName)]),
  ]
  return sets.length === 0 ? undefined : sql`(${sql.join(sets, sql` union `)})`
}

/** The customers of a company that all the words fit. */
export function relationsFitting(db: Db, companyId: number, words: CustomerWords): ReturnType<typeof relationsOf> {
  const ids = idsFitting(companyId, words)
  const customers = relationsOf(db, companyId)
  return ids === undefined
    ? customers
    : customers.where(
        'customer_relations.customer_id',
        '=',
        sql<Row<'customer_relations'>['customer_id']>`any(array(${ids}))`,
      )
}

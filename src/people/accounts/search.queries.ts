import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { beginsWith, type Row } from '#platform/db/expressions.ts'
import type { Optional } from '#platform/db/filters.ts'
import { relationsOf } from './queries.ts'

/**
 * What somebody typed to find a customer: words that begin a name, the same as one name, and a word that begins an address.
 * Further words are left out.
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
  const [name, otherName, thirdName] = names
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
 * The ids of the customers that all the words fit; undefined if there are no words. They are one set: PostgreSQL would
 * compare each id of one condition with each of another.
 */
export function idsFitting(companyId: number, words: CustomerWords): RawBuilder<unknown> | undefined {
  const named = [words.name, words.otherName, words.thirdName].flatMap((word) =>
    word === undefined ? [] : [idsNamed(companyId, word)],
  )
  const byNames = named.length === 0 ? [] : [inAll(named, words.wholeName, companyId)]
  const parts = [...byNames, ...(words.address === undefined ? [] : [idsAddressed(companyId, words.address)])]
  return parts.length === 0 ? undefined : sql.join(parts, sql` intersect `)
}

function inAll(sets: RawBuilder<unknown>[], wholeName: string | undefined, companyId: number): RawBuilder<unknown> {
  const all = sql`(${sql.join(sets, sql` intersect `)})`
  return wholeName === undefined ? all : sql`(${all} union ${idsNamed(companyId, wholeName)})`
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

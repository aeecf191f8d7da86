import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { beginsWith } from '#platform/db/beginnings.ts'
import type { Db } from '#platform/db/database.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import { relationsOf } from './queries.ts'

/** What somebody typed to find a customer: words that begin a name, and one that begins an address. */
export type CustomerWords = Optional<{ name: string; otherName: string; thirdName: string; address: string }>

/** Only what has an at sign can be an address: few accounts of the platform begin with it. */
export function readWords(typed: string): CustomerWords {
  const words = typed.split(/\s+/).filter((word) => word !== '')
  const [name, otherName, thirdName] = words.filter((word) => !word.includes('@'))
  return { name, otherName, thirdName, address: words.find((word) => word.includes('@')) }
}

/** The ids of the customers of a company whose name begins with a word, or whose token it is. Each part has an index. */
export function idsNamed(companyId: number, word: string): RawBuilder<unknown> {
  const named = (column: 'first_name' | 'last_name') =>
    sql`select named.customer_id from customer_relations as named where named.company_id = ${companyId}
      and ${beginsWith(sql<string>`lower(${sql.ref(`named.${column}`)})`, word)}`
  return sql`${named('first_name')} union ${named('last_name')}
    union select customers.id from customers where customers.token = upper(${word}::text)`
}

/** The ids of the accounts whose address begins with a word; other companies may know them, too. */
export function idsAddressed(word: string): RawBuilder<unknown> {
  return sql`select customers.id from customers where ${beginsWith(sql<string>`lower(customers.email)`, word)}`
}

/** The ids are found first. In one condition, PostgreSQL would read all customers of the company. */
const isAmong = (ids: RawBuilder<unknown>) => sql<SqlBool>`customer_relations.customer_id = any(array(${ids}))`

type Rows = ReturnType<typeof relationsOf>

const filtersOf = (companyId: number): Filters<Rows, CustomerWords> => ({
  name: (rows, word) => rows.where(isAmong(idsNamed(companyId, word))),
  otherName: (rows, word) => rows.where(isAmong(idsNamed(companyId, word))),
  thirdName: (rows, word) => rows.where(isAmong(idsNamed(companyId, word))),
  address: (rows, word) => rows.where(isAmong(idsAddressed(word))),
})

/** The customers of a company that all the words fit. */
export function relationsFitting(db: Db, companyId: number, words: CustomerWords): Rows {
  return narrow(relationsOf(db, companyId), filtersOf(companyId), words)
}

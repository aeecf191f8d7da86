import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { type Columns, condition } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'

/** Every read of customers for a company starts here, so none can forget the company. */
export function relationsOf(db: Db, companyId: number) {
  return db.selectFrom('customer_relations').where('customer_relations.company_id', '=', companyId)
}

/** The accounts that a company knows. */
export function accountsOf(db: Db, companyId: number) {
  return relationsOf(db, companyId).innerJoin('customers', 'customers.id', 'customer_relations.customer_id')
}

/** The address of the customer that a row of another table names, as long as the company of the row knows the customer. */
export function emailFor(table: string) {
  return sql<Columns<'customers', 'email'>['email'] | null>`(select customers.email from customers
    join customer_relations as known on known.customer_id = customers.id
    where known.company_id = ${sql.ref(`${table}.company_id`)} and customers.id = ${sql.ref(`${table}.customer_id`)})`
}

const known = (field: 'token' | 'email') =>
  prepare((tx: Tx, companyId: number, value: string) =>
    accountsOf(tx, companyId)
      .select(['customers.email', 'customers.token as customer_token', 'customers.language'])
      .where(field === 'token' ? sameToken(value) : sameEmail(value))
      .forNoKeyUpdate(['customers', 'customer_relations'])
      .compile(),
  )

const sameToken = (token: string) => condition`customers.token = (select upper(${token}::text))`
const sameEmail = (email: string) => condition`lower(customers.email) = lower(${email}::text)`

const KNOWN = { token: known('token'), email: known('email') }

/** A customer whom the company knows, locked until the transaction ends. */
export async function lockPerson(tx: Tx, companyId: number, field: 'token' | 'email', value: string) {
  if (value.includes('\0')) return undefined
  const [person] = await KNOWN[field](tx, companyId, value)
  return person
}

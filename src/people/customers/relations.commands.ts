import { sql } from 'kysely'
import { emit } from '#history/events/emit.commands.ts'
import { followCustomer } from '#people/audience/follow.commands.ts'
import { adjustCounter } from '#platform/db/counters.ts'
import type { Tx } from '#platform/db/database.ts'
import { prepareWrite } from '#platform/db/writes.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { presentCustomer } from './present.ts'
import { CUSTOMERS, lockAccounts, type OwnCustomer, readOwnRelations } from './queries.ts'
import type { AccountState, RelationState } from './state.ts'

const BATCH = 500

/** The whole data of an event about a customer: personal data could not be erased from it later. */
export const eventData = ({ id, token }: AccountState) => ({ type: 'customer', id: String(id), token }) as const

/** The document of a customer, as it is stored. */
export function documentOf(account: AccountState, relation: RelationState): string {
  return asciiJson(presentCustomer(account, relation))
}

type Of = Pick<RelationState, 'company_id' | 'customer_id'>

/** Notes that a company knows a customer from the order of a guest alone, who may have typed any address. */
export async function noteUnproved(tx: Tx, { company_id, customer_id }: Of): Promise<void> {
  await tx.insertInto('unproved_relations').values({ company_id, customer_id }).execute()
}

/** Notes that the customer has paid the company, or has proved the address to it. */
export async function noteProved(tx: Tx, { company_id, customer_id }: Of): Promise<void> {
  await tx
    .deleteFrom('unproved_relations')
    .where('company_id', '=', company_id)
    .where('customer_id', '=', customer_id)
    .execute()
}

/** Makes an account known to a company and emits the event. */
export async function addRelation(
  tx: Tx,
  account: AccountState,
  relation: RelationState,
  now: Date,
): Promise<Written<OwnCustomer>> {
  const { company_id } = relation
  const document = documentOf(account, relation)
  await tx
    .insertInto('customer_relations')
    .values({ ...relation, addresses: JSON.stringify(relation.addresses), document })
    .execute()
  await adjustCounter(tx, company_id, CUSTOMERS, 1)
  await emit(tx, company_id, 'customer/create', now, [eventData(account)])
  await followCustomer(tx, [company_id], account, now)
  return { state: { account, own: relation }, document }
}

/**
 * Adds accounts with one company's relation to each, and counts them, without events: for seeding a shop. The caller
 * has made sure that their email addresses are free.
 */
export async function insertCustomers(
  tx: Tx,
  companyId: number,
  customers: readonly { account: AccountState; own: RelationState }[],
): Promise<void> {
  for (let start = 0; start < customers.length; start += BATCH) {
    const batch = customers.slice(start, start + BATCH)
    const accounts = JSON.stringify(batch.map(({ account }) => account))
    const relations = JSON.stringify(batch.map(({ account, own }) => ({ ...own, document: documentOf(account, own) })))
    await sql`insert into customers select * from json_populate_recordset(null::customers, ${accounts}::json)`.execute(
      tx,
    )
    await sql`insert into customer_relations
      select * from json_populate_recordset(null::customer_relations, ${relations}::json)
      where company_id = ${companyId}`.execute(tx)
  }
  await adjustCounter(tx, companyId, CUSTOMERS, customers.length)
}

const updateRelations = prepareWrite('update', 'customer_relations', (tx: Tx, customerId: number, rows: string) =>
  sql`update customer_relations as kept
    set first_name = changed.first_name, last_name = changed.last_name, addresses = changed.addresses,
      note = changed.note, orders_count = changed.orders_count, total_spent = changed.total_spent,
      last_order_id = changed.last_order_id, last_order_name = changed.last_order_name,
      updated_at = changed.updated_at, document = changed.document
    from json_populate_recordset(null::customer_relations, ${rows}::json) as changed
    where kept.company_id = changed.company_id and kept.customer_id = ${customerId}`.compile(tx),
)

const CHANGED = [
  'first_name',
  'last_name',
  'note',
  'orders_count',
  'total_spent',
  'last_order_id',
  'last_order_name',
  'updated_at',
] as const

type ChangedValue = RelationState[(typeof CHANGED)[number]]

/** A sale changes one relation, and PostgreSQL takes as long to read it from JSON as to write it. */
const updateRelation = prepareWrite(
  'update',
  'customer_relations',
  (tx: Tx, companyId: number, customerId: number, addresses: string, document: string, ...values: ChangedValue[]) =>
    sql`update customer_relations set addresses = ${addresses}, document = ${document},
        ${sql.join(CHANGED.map((name, index) => sql`${sql.ref(name)} = ${values[index]}`))}
      where company_id = ${companyId} and customer_id = ${customerId}`.compile(tx),
)

/** Writes relations of an account that the caller has locked, a batch per statement, and returns their documents. */
export async function saveRelations(tx: Tx, account: AccountState, relations: RelationState[]): Promise<string[]> {
  const rows = relations.map((relation) => ({ ...relation, document: documentOf(account, relation) }))
  const [first] = rows
  if (first !== undefined && rows.length === 1) await saveRelation(tx, first)
  else
    for (let start = 0; start < rows.length; start += BATCH)
      await updateRelations(tx, account.id, JSON.stringify(rows.slice(start, start + BATCH)))
  return rows.map(({ document }) => document)
}

async function saveRelation(tx: Tx, relation: RelationState & { document: string }): Promise<void> {
  const { company_id, customer_id, addresses, document } = relation
  const values = CHANGED.map((name) => relation[name])
  await updateRelation(tx, company_id, customer_id, JSON.stringify(addresses), document, ...values)
}

/** Writes the documents of a company's customers again from their rows. */
export async function refreshCustomers(tx: Tx, companyId: number, ids: number[]): Promise<void> {
  const accounts = new Map((await lockAccounts(tx, ids)).map((account) => [account.id, account]))
  for (const relation of await readOwnRelations(tx, companyId, ids)) {
    const account = accounts.get(relation.customer_id)
    if (account !== undefined) await saveRelations(tx, account, [relation])
  }
}

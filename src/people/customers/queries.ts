import type { RawBuilder, Selectable, SqlBool } from 'kysely'
import { accountsOf, relationsOf } from '#people/accounts/queries.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { anyOf, condition } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { DB } from '#platform/db/types.gen.ts'
import type { CustomerAddressState } from './addresses/state.ts'
import { customerNotFound } from './errors.ts'
import type { Search } from './rules.ts'
import type { AccountState, RelationState } from './state.ts'

/** Ids come from accounts; counters count relations. */
export const ACCOUNTS = 'customers'
export const CUSTOMERS = 'customer_relations'

const isId = (ref: string) => /^\d{1,15}$/.test(ref)
const isToken = (ref: string) => /^[A-Z]{16}$/i.test(ref)

const documentByToken = prepare((db: Db, companyId: number, token: string) =>
  accountsOf(db, companyId).select('customer_relations.document').where('customers.token', '=', token).compile(),
)

/** A customer's document, by token in any case or by id. Another company's customer is answered like an unknown one. */
export async function getCustomerDocument(db: Db, companyId: number, ref: string): Promise<string> {
  if (!isId(ref) && !isToken(ref)) throw customerNotFound(ref)
  if (isId(ref)) {
    const document = await findCustomerDocument(db, companyId, Number(ref))
    if (document === undefined) throw customerNotFound(ref)
    return document
  }
  const [customer] = await documentByToken(db, companyId, ref.toUpperCase())
  if (customer === undefined) throw customerNotFound(ref)
  return customer.document
}

const documentById = prepare((db: Db, companyId: number, id: number) =>
  relationsOf(db, companyId)
    .select('customer_relations.document')
    .where('customer_relations.customer_id', '=', id)
    .compile(),
)

export async function findCustomerDocument(db: Db, companyId: number, id: number): Promise<string | undefined> {
  const [customer] = await documentById(db, companyId, id)
  return customer?.document
}

/** How a customer is found by the value of a field. */
export const MATCHES: Record<Search['field'], (value: string) => RawBuilder<boolean>> = {
  email: (value) => condition`lower(customers.email) = lower(${value}::text)`,
  token: (value) => condition`customers.token = (select upper(${value}::text))`,
  first_name: (value) => condition`lower(customer_relations.first_name) = lower(${value}::text)`,
  last_name: (value) => condition`lower(customer_relations.last_name) = lower(${value}::text)`,
}

function asAccount({ state, ...account }: Selectable<DB['customers']>): AccountState {
  return { ...account, state: state === 'enabled' ? state : 'disabled' }
}

/** The columns of relations whose types PostgreSQL does not know. */
type RelationColumns = Pick<RelationState, 'addresses'>

/** The account with an email address, in any case, known to any company: for checks, never to be shown as it is. */
export async function findAccountByEmail(db: Db, email: string): Promise<AccountState | undefined> {
  // PostgreSQL refuses text with NUL, which no stored value has.
  if (email.includes('\0')) return undefined
  const row = await db.selectFrom('customers').selectAll().where(MATCHES.email(email)).executeTakeFirst()
  return row === undefined ? undefined : asAccount(row)
}

/** The account of a customer of the company, by token in any case or by id. */
export async function getAccount(db: Db, companyId: number, ref: string): Promise<AccountState> {
  if (!isId(ref) && !isToken(ref)) throw customerNotFound(ref)
  const row = await accountsOf(db, companyId).selectAll('customers').where(isReferredTo(ref)).executeTakeFirst()
  if (row === undefined) throw customerNotFound(ref)
  return asAccount(row)
}

/** The addresses that a company knows of a customer, with the token of the customer. */
export async function getAddresses(
  db: Db,
  companyId: number,
  ref: string,
): Promise<{ token: string; addresses: CustomerAddressState[] }> {
  if (!isId(ref) && !isToken(ref)) throw customerNotFound(ref)
  const row = await accountsOf(db, companyId)
    .select(['customers.token', 'customer_relations.addresses'])
    .$narrowType<RelationColumns>()
    .where(isReferredTo(ref))
    .executeTakeFirst()
  if (row === undefined) throw customerNotFound(ref)
  return row
}

function isReferredTo(ref: string): RawBuilder<SqlBool> {
  return isId(ref)
    ? condition`customers.id = ${Number(ref)}::bigint`
    : condition`customers.token = ${ref.toUpperCase()}::text`
}

export async function hasCustomer(db: Db, companyId: number, email: string): Promise<boolean> {
  const row = await accountsOf(db, companyId).select('customers.id').where(MATCHES.email(email)).executeTakeFirst()
  return row !== undefined
}

/** The recipient of a company's mails. */
export type Recipient = Pick<AccountState, 'email' | 'language'> & Pick<RelationState, 'first_name' | 'last_name'>

const recipientById = prepare((db: Db, companyId: number, customerId: number) =>
  accountsOf(db, companyId)
    .select(['customers.email', 'customers.language', 'customer_relations.first_name', 'customer_relations.last_name'])
    .where('customers.id', '=', customerId)
    .compile(),
)

/** The customer as the recipient of a mail; undefined if the company does not know the customer any more. */
export async function findRecipient(db: Db, companyId: number, customerId: number): Promise<Recipient | undefined> {
  const [recipient] = await recipientById(db, companyId, customerId)
  return recipient
}

/** The companies from which a customer has ordered, by name. */
export async function readCompanyNames(db: Db, customerId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('customer_relations')
    .innerJoin('companies', 'companies.id', 'customer_relations.company_id')
    .select('companies.company_name')
    .where('customer_relations.customer_id', '=', customerId)
    .where('customer_relations.orders_count', '>', 0)
    .orderBy('companies.id')
    .execute()
  return rows.map(({ company_name }) => company_name)
}

/** An account with the relations of all companies that know it. */
export type KnownAccount = { account: AccountState; relations: RelationState[] }

/** Locks a customer until the transaction ends, for all companies: do this before deciding on a change. */
export async function lockCustomer(
  tx: Tx,
  companyId: number,
  ref: string,
): Promise<KnownAccount & { own: RelationState }> {
  if (!isId(ref) && !isToken(ref)) throw customerNotFound(ref)
  const found = await accountsOf(tx, companyId).select('customers.id').where(isReferredTo(ref)).executeTakeFirst()
  const known = found === undefined ? undefined : await lockAccount(tx, found.id)
  // The relation may have ended while this waited for the lock.
  const own = known?.relations.find(({ company_id }) => company_id === companyId)
  if (known === undefined || own === undefined) throw customerNotFound(ref)
  return { ...known, own }
}

/** A customer with the relation of one company. */
export type OwnCustomer = { account: AccountState; own: RelationState }

const buyer = (field: 'token' | 'email') =>
  prepare((tx: Tx, companyId: number, value: string) =>
    tx
      .selectFrom('customers')
      .innerJoin('customer_relations as own', (join) =>
        join.onRef('own.customer_id', '=', 'customers.id').on('own.company_id', '=', companyId),
      )
      .select([
        'customers.id',
        'customers.token',
        'customers.email',
        'customers.language',
        'customers.state',
        'customers.password_hash',
        'customers.verified_email',
        'customers.created_at',
        'customers.updated_at',
        'own.first_name',
        'own.last_name',
        'own.addresses',
        'own.note',
        'own.orders_count',
        'own.total_spent',
        'own.last_order_id',
        'own.last_order_name',
        'own.created_at as known_since',
        'own.updated_at as known_as_of',
      ])
      .$narrowType<RelationColumns>()
      .where(MATCHES[field](value))
      // Locks both rows, so that concurrent changes to either are read again after the wait.
      .forNoKeyUpdate(['customers', 'own'])
      .compile(),
  )

const BUYERS = { token: buyer('token'), email: buyer('email') }

/**
 * lockCustomer for a sale, in one statement, without the relations of other companies.
 * Undefined: the company knows no customer with that token or email address.
 */
export async function lockBuyer(
  tx: Tx,
  companyId: number,
  field: 'token' | 'email',
  value: string,
): Promise<OwnCustomer | undefined> {
  if (value.includes('\0')) return undefined
  const [row] = await BUYERS[field](tx, companyId, value)
  if (row === undefined) return undefined
  const { first_name, last_name, addresses, note, known_since, known_as_of, ...rest } = row
  const { orders_count, total_spent, last_order_id, last_order_name, ...account } = rest
  return {
    account: asAccount(account),
    own: {
      company_id: companyId,
      customer_id: account.id,
      first_name,
      last_name,
      addresses,
      note,
      orders_count,
      total_spent,
      last_order_id,
      last_order_name,
      created_at: known_since,
      updated_at: known_as_of,
    },
  }
}

/** lockCustomer without a company, for callers that have checked the account's password. */
export async function lockAccount(tx: Tx, id: number): Promise<KnownAccount | undefined> {
  const [row] = await lockAccounts(tx, [id])
  return row === undefined ? undefined : { account: row, relations: await readRelations(tx, id) }
}

export async function lockAccounts(tx: Tx, ids: number[]): Promise<AccountState[]> {
  const rows = await tx
    .selectFrom('customers')
    .selectAll()
    .where('id', '=', anyOf(ids))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(asAccount)
}

async function readRelations(db: Db, customerId: number): Promise<RelationState[]> {
  const rows = await db
    .selectFrom('customer_relations')
    .selectAll()
    .$narrowType<RelationColumns>()
    .where('customer_relations.customer_id', '=', customerId)
    .orderBy('company_id')
    .execute()
  return rows.map(({ document: _document, ...relation }) => relation)
}

/** One company's relations to customers. */
export async function readOwnRelations(db: Db, companyId: number, ids: number[]): Promise<RelationState[]> {
  const rows = await relationsOf(db, companyId)
    .selectAll()
    .$narrowType<RelationColumns>()
    .where('customer_relations.customer_id', '=', anyOf(ids))
    .execute()
  return rows.map(({ document: _document, ...relation }) => relation)
}

/** What a company knows of a customer, by token or email address; undefined if it knows none. */
export async function findOwnCustomer(
  db: Db,
  companyId: number,
  field: 'token' | 'email',
  value: string,
): Promise<RelationState | undefined> {
  if (value.includes('\0')) return undefined
  const found = await accountsOf(db, companyId).select('customers.id').where(MATCHES[field](value)).executeTakeFirst()
  return found === undefined ? undefined : (await readOwnRelations(db, companyId, [found.id]))[0]
}

/** The ids of a company's customers after one id, in order. */
export async function readCustomerIds(db: Db, companyId: number, after: number, limit: number): Promise<number[]> {
  const rows = await relationsOf(db, companyId)
    .select('customer_relations.customer_id as id')
    .where('customer_relations.customer_id', '>', after)
    .orderBy('customer_relations.customer_id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Does any company but this one know the customer? One that knows an order of a guest alone does not, until it is paid or
 * the address is proved: anybody could lock a customer out with an order in another shop.
 */
export async function isKnownElsewhere(db: Db, customerId: number, companyId: number): Promise<boolean> {
  const row = await db
    .selectFrom('customer_relations')
    .select('company_id')
    .where('customer_id', '=', customerId)
    .where('company_id', '<>', companyId)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('unproved_relations')
            .select('unproved_relations.company_id')
            .whereRef('unproved_relations.customer_id', '=', 'customer_relations.customer_id')
            .whereRef('unproved_relations.company_id', '=', 'customer_relations.company_id'),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

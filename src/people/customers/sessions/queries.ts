import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { condition, type Row } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import { lockAccount } from '../queries.ts'
import type { CustomerSession, SignedInCustomer } from './state.ts'

/** Every read of the sessions in the shops of a company starts here, so none can forget the company. */
function customerSessionsOf(db: Db, companyId: number) {
  return db.selectFrom('customer_sessions').where('customer_sessions.company_id', '=', companyId)
}

export type Visit = { session: CustomerSession; customer: SignedInCustomer }

/** Read with the session, so that pages of customers who are in no group need not ask. */
const isInGroup = condition`exists (select from subscribers as person
    where person.customer_token = customers.token and person.company_id = customer_sessions.company_id)
  or exists (select from group_members as person
    where person.customer_token = customers.token and person.company_id = customer_sessions.company_id)`

const sessionByHash = prepare((db: Db, companyId: number, themeSettingId: number, tokenHash: Buffer, now: Date) =>
  customerSessionsOf(db, companyId)
    .innerJoin('customer_relations as own', (join) =>
      join
        .onRef('own.company_id', '=', 'customer_sessions.company_id')
        .onRef('own.customer_id', '=', 'customer_sessions.customer_id'),
    )
    .innerJoin('customers', 'customers.id', 'customer_sessions.customer_id')
    .select([
      'customer_sessions.customer_id',
      'customer_sessions.created_at',
      'customer_sessions.seen_at',
      'customer_sessions.parent_hash',
      sql<Row<'customer_sessions'>['order_ids'] | null>`customer_sessions.order_ids::float8[]`.as('order_ids'),
      'customers.token',
      'customers.email',
      'customers.language',
      'own.first_name',
      'own.last_name',
      sql<string>`coalesce((select address ->> 'country_code' from json_array_elements(own.addresses) as address
        where (address ->> 'default')::boolean limit 1), '')`.as('country'),
      isInGroup.as('is_in_group'),
    ])
    .where('customer_sessions.theme_setting_id', '=', themeSettingId)
    .where('customer_sessions.token_hash', '=', tokenHash)
    .where('customer_sessions.expires_at', '>', now)
    .where('customer_sessions.handover_state', 'is', null)
    .where('customers.state', '=', 'enabled')
    .compile(),
)

/** The session of a cookie in one shop; undefined if it has ended, or if the customer may not sign in. */
export async function findCustomerSession(
  db: Db,
  shop: { company_id: number; id: number },
  tokenHash: Buffer,
  now: Date,
): Promise<Visit | undefined> {
  const [row] = await sessionByHash(db, shop.company_id, shop.id, tokenHash, now)
  if (row === undefined) return undefined
  const { customer_id: id, order_ids: orderIds, parent_hash, is_in_group, created_at, seen_at, ...customer } = row
  const place = { companyId: shop.company_id, themeSettingId: shop.id, customerId: id }
  return {
    session: {
      ...place,
      orderIds,
      key: tokenHash.toString('hex'),
      firstKey: (parent_hash ?? tokenHash).toString('hex'),
      isInGroup: is_in_group,
      createdAt: created_at,
      seenAt: seen_at,
    },
    customer: { id, ...customer },
  }
}

export type ListedSession = { key: string; browser: string; network: string; created_at: Date; seen_at: Date }

const LISTED_MAX = 50

/** The sessions of a customer in the shops of one company, latest first. */
export async function listCustomerSessions(
  db: Db,
  { companyId, customerId }: Pick<CustomerSession, 'companyId' | 'customerId'>,
  now: Date,
): Promise<ListedSession[]> {
  const rows = await customerSessionsOf(db, companyId)
    .select(['token_hash', 'browser', 'network', 'created_at', 'seen_at'])
    // Those of other hosts in the same browser end with it.
    .where('parent_hash', 'is', null)
    .where('customer_id', '=', customerId)
    .where('expires_at', '>', now)
    .where('order_ids', 'is', null)
    .orderBy('seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(LISTED_MAX)
    .execute()
  return rows.map(({ token_hash, ...row }) => ({ ...row, key: token_hash.toString('hex') }))
}

/** Does a session still exist? The key is that of the session. */
export async function hasCustomerSession(
  db: Db,
  { companyId, customerId, key }: Pick<CustomerSession, 'companyId' | 'customerId' | 'key'>,
  now: Date,
): Promise<boolean> {
  const row = await customerSessionsOf(db, companyId)
    .select('customer_id')
    .where('customer_id', '=', customerId)
    .where('token_hash', '=', Buffer.from(key, 'hex'))
    .where('expires_at', '>', now)
    .where('handover_state', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Locks the account until the transaction ends, and returns it if the session still exists: a session that was ended
 * meanwhile, perhaps by the true owner, changes nothing more.
 */
export async function lockSessionAccount(tx: Tx, { companyId, customerId, key }: CustomerSession) {
  const known = await lockAccount(tx, customerId)
  const row = await customerSessionsOf(tx, companyId)
    .select('customer_id')
    .where('token_hash', '=', Buffer.from(key, 'hex'))
    .executeTakeFirst()
  return row === undefined ? undefined : known
}

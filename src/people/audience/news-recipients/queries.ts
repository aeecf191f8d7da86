import { sql } from 'kysely'
import { readCounter } from '#platform/db/counters.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { condition, type Row } from '#platform/db/expressions.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare, prepareFamily, type Value } from '#platform/db/prepared.ts'
import { newsRecipientNotFound } from '../errors.ts'
import { conditionsFor, type GivenValues, PERSON, readPersonFilters } from '../filters.queries.ts'
import type { Follower } from '../rules.ts'
import type { NewsRecipientFilters } from './schema.ts'
import type { NewsRecipientState } from './state.ts'

export const NEWS_RECIPIENTS = 'news_recipients'

/** Every read of newsletter recipients starts here, so none can forget the company. */
function newsRecipientsOf(db: Db, companyId: number) {
  return db.selectFrom('news_recipients').where('news_recipients.company_id', '=', companyId)
}

const CONDITIONS = {
  ...PERSON,
  theme_setting_id: (id: Value) => condition`theme_setting_id = ${id}::bigint`,
}

/** Each state has an index with the same condition. */
const STATES = {
  pending: condition`confirmed_at is null and unsubscribed_at is null`,
  confirmed: condition`confirmed_at is not null and unsubscribed_at is null`,
  unsubscribed: condition`unsubscribed_at is not null`,
}

type Flags = { readonly [State in keyof typeof STATES]?: true | undefined }
type Given = GivenValues<keyof typeof CONDITIONS> & Flags

function filtered(db: Db, { company, pending, confirmed, unsubscribed, ...given }: Given & { company: number }) {
  const states = [
    ...(pending ? [STATES.pending] : []),
    ...(confirmed ? [STATES.confirmed] : []),
    ...(unsubscribed ? [STATES.unsubscribed] : []),
  ]
  return newsRecipientsOf(db, company).where((where) => where.and([...conditionsFor(CONDITIONS, given), ...states]))
}

function readFilters(filters: NewsRecipientFilters & { since_id?: number }): Given {
  const { theme_setting_id, state } = filters
  return {
    ...readPersonFilters(filters),
    theme_setting_id,
    pending: state === 'pending' || undefined,
    confirmed: state === 'confirmed' || undefined,
    unsubscribed: state === 'unsubscribed' || undefined,
  }
}

const listed = prepareList((db: Db, given: Given & { company: number }) => filtered(db, given).selectAll())

export function listNewsRecipients(
  db: Db,
  companyId: number,
  filters: NewsRecipientFilters,
): RowList<NewsRecipientState> {
  return listed(db, { ...readFilters(filters), since_id: undefined, company: companyId })
}

const counted = prepareFamily((db: Db, given: Given & { company: number }) =>
  filtered(db, given)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

/** The counter has the number of all recipients; filtered ones are counted in an index. */
export async function countNewsRecipients(
  db: Db,
  companyId: number,
  filters: NewsRecipientFilters & { since_id?: number },
): Promise<number> {
  const given = readFilters(filters)
  if (Object.values(given).every((value) => value === undefined)) return readCounter(db, companyId, NEWS_RECIPIENTS)
  const [row] = await counted(db, { ...given, company: companyId })
  return row?.count ?? 0
}

const byId = prepare((db: Db, companyId: number, id: number) =>
  newsRecipientsOf(db, companyId).selectAll().where('news_recipients.id', '=', id).compile(),
)

/** A newsletter recipient; another company's is not found. */
export async function getNewsRecipient(db: Db, companyId: number, ref: string): Promise<NewsRecipientState> {
  const [recipient] = /^\d{1,15}$/.test(ref) ? await byId(db, companyId, Number(ref)) : []
  if (recipient === undefined) throw newsRecipientNotFound(ref)
  return recipient
}

/** getNewsRecipient that locks the row until the transaction ends: do this before deciding on a change. */
export async function lockNewsRecipient(tx: Tx, companyId: number, ref: string): Promise<NewsRecipientState> {
  if (!/^\d{1,15}$/.test(ref)) throw newsRecipientNotFound(ref)
  const recipient = await newsRecipientsOf(tx, companyId)
    .selectAll()
    .where('news_recipients.id', '=', Number(ref))
    .forUpdate()
    .executeTakeFirst()
  if (recipient === undefined) throw newsRecipientNotFound(ref)
  return recipient
}

/** Locks the recipient of a shop's newsletter with this address; undefined if there is none. */
export function lockNewsRecipientAt(
  tx: Tx,
  companyId: number,
  shopId: number,
  email: string,
): Promise<NewsRecipientState | undefined> {
  return newsRecipientsOf(tx, companyId)
    .selectAll()
    .where('news_recipients.theme_setting_id', '=', shopId)
    .where(PERSON.email(email))
    .forUpdate()
    .executeTakeFirst()
}

const ofPerson = prepare((tx: Tx, companyIds: readonly number[], token: string, email: string) =>
  sql<Row<'news_recipients'>>`select * from news_recipients where company_id = any(${companyIds}::bigint[])
    and (customer_token = ${token} or (customer_token is null and lower(email) = lower(${email})))
    order by company_id, id for update`.compile(tx),
)

/** Locks the entries of a customer, and those that have no more than the customer's address, in these companies. */
export function lockNewsRecipientsOf(
  tx: Tx,
  companyIds: readonly number[],
  { token, email }: Follower,
): Promise<NewsRecipientState[]> {
  return ofPerson(tx, companyIds, token, email)
}

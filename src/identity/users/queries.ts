import { type Selectable, sql } from 'kysely'
import { searchedEmail } from '#identity/companies/rules.ts'
import { readCounter } from '#platform/db/counters.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { anyOf, condition, type Filled, type Row } from '#platform/db/expressions.ts'
import { type DocumentList, prepareList } from '#platform/db/pages.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { DB } from '#platform/db/types.gen.ts'
import { searchInvalid } from '#platform/errors/faults.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Caller } from '#platform/identity/caller.ts'
import { readTime } from '#platform/wire/times.ts'
import type { UserAddressState } from './addresses/state.ts'
import { userNotFound } from './errors.ts'
import { hasAccepted, readPermissions } from './rules.ts'
import type { Permissions } from './schema.ts'
import type { UserState } from './state.ts'

export const USERS = 'users'

/** Every read of users for a company starts here, so none can forget the company. */
function usersOf(db: Db, companyId: number) {
  return db.selectFrom('users').where('users.company_id', '=', companyId)
}

/** Users with a document. A user added by an older version has none until the next start of this one. */
function shownUsersOf(db: Db, companyId: number) {
  return usersOf(db, companyId).where('users.document', 'is not', null)
}

const document = sql<Filled<'users', 'document'>['document']>`users.document`.as('document')

function asState({
  document: _document,
  state,
  default_address,
  permissions,
  ...user
}: Selectable<DB['users']>): UserState {
  return {
    ...user,
    state: state === 'enabled' ? state : 'disabled',
    default_address: default_address as UserAddressState | null,
    permissions: readPermissions(permissions as Partial<Permissions>),
  }
}

const isId = (ref: string) => /^\d{1,15}$/.test(ref)
const isToken = (ref: string) => /^[A-Z]{16}$/i.test(ref)

const documentById = prepare((db: Db, companyId: number, id: number) =>
  shownUsersOf(db, companyId).select(document).where('users.id', '=', id).compile(),
)

const documentByToken = prepare((db: Db, companyId: number, token: string) =>
  shownUsersOf(db, companyId).select(document).where('users.token', '=', token).compile(),
)

/** A user's stored document, by token in any case or by id. Another company's user is answered like an unknown one. */
export async function getUserDocument(db: Db, companyId: number, ref: string): Promise<string> {
  if (!isId(ref) && !isToken(ref)) throw userNotFound(ref)
  const [user] = isId(ref)
    ? await documentById(db, companyId, Number(ref))
    : await documentByToken(db, companyId, ref.toUpperCase())
  if (user === undefined) throw userNotFound(ref)
  return user.document
}

export type UserFilters = { updated_at_min?: string }

const hasEmail = (email: string) => condition`lower(users.email) = lower(${email}::text)`

type GivenFilters = { company: number; updated_at_min?: Date | undefined; email?: string }

const listed = prepareList((db: Db, { company, updated_at_min, email }: GivenFilters) =>
  shownUsersOf(db, company)
    .$call((rows) => (updated_at_min === undefined ? rows : rows.where('users.updated_at', '>=', updated_at_min)))
    .$call((rows) => (email === undefined ? rows : rows.where(hasEmail(email))))
    .select(['users.id', document]),
)

export function listUsers(db: Db, companyId: number, { updated_at_min }: UserFilters): DocumentList {
  return listed(db, { company: companyId, updated_at_min: readTime(updated_at_min) })
}

/** The company's user with an email address, in any case. */
export function searchUsers(db: Db, companyId: number, query: string | undefined): DocumentList {
  const email = searchedEmail(query)
  if (email === undefined) throw validationFailed('query', searchInvalid('email:address'))
  return listed(db, { company: companyId, email })
}

const countAfter = prepare((db: Db, companyId: number, since: Date | null, after: number) =>
  shownUsersOf(db, companyId)
    .where('users.id', '>', after)
    .where('users.updated_at', '>=', sql<Row<'users'>['updated_at']>`coalesce(${since}::timestamptz, '-infinity')`)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

/** The counter has the number of all users; filtered users are counted in the index. */
export async function countUsers(
  db: Db,
  companyId: number,
  { updated_at_min, since_id }: UserFilters & { since_id?: number },
): Promise<number> {
  if (updated_at_min === undefined && since_id === undefined) return readCounter(db, companyId, USERS)
  const [row] = await countAfter(db, companyId, readTime(updated_at_min) ?? null, since_id ?? 0)
  return row?.count ?? 0
}

/** Locks a user until the transaction ends: do this before deciding on a change. */
export async function lockUser(tx: Tx, companyId: number, ref: string): Promise<UserState> {
  if (!isId(ref) && !isToken(ref)) throw userNotFound(ref)
  const row = await shownUsersOf(tx, companyId)
    .selectAll()
    .where((where) => (isId(ref) ? where('users.id', '=', Number(ref)) : where('users.token', '=', ref.toUpperCase())))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row === undefined) throw userNotFound(ref)
  return asState(row)
}

/** lockUser for the service itself, which presents users that have no document yet. */
export async function lockUserById(
  tx: Tx,
  companyId: number,
  id: number,
): Promise<{ user: UserState; isShown: boolean }> {
  const row = await usersOf(tx, companyId)
    .selectAll()
    .where('users.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return { user: asState(row), isShown: row.document !== null }
}

const mayManage = condition`users.permissions ->> 'create_users' = '1' and users.permissions ->> 'web_access' = '1'`

/** The users of a company who may manage it. */
export async function readManagers(db: Db, companyId: number): Promise<UserState[]> {
  const rows = await usersOf(db, companyId)
    .selectAll()
    .where('users.state', '=', 'enabled')
    .where(mayManage)
    .orderBy('users.id')
    .execute()
  return rows.map(asState)
}

/** Is there another user in the company who may manage users? */
export async function hasOtherManagers(db: Db, { company_id, id }: UserState): Promise<boolean> {
  const other = await usersOf(db, company_id)
    .select('users.id')
    .where('users.id', '!=', id)
    .where('users.state', '=', 'enabled')
    .where(mayManage)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** A user of any company: a user of the partner may have granted a token that acts for this company. */
export async function findUser(db: Db, id: number): Promise<UserState | undefined> {
  const row = await db.selectFrom('users').selectAll().where('users.id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : asState(row)
}

/**
 * The user who signs in with an email address, in any case: the address determines the company. If nobody does, the
 * first user who was invited under it and has not accepted.
 */
export async function findUserByEmail(db: Db, email: string): Promise<UserState | undefined> {
  // PostgreSQL refuses text with NUL, which no stored value has.
  if (email.includes('\0')) return undefined
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where(hasEmail(email))
    .orderBy(sql`not (${isAccount})`)
    .orderBy('users.id')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? undefined : asState(row)
}

/** Not only invited: the condition of the index that keeps the addresses of accounts unique. */
const isAccount = condition`users.password_hash is not null or users.state = 'enabled'`

/** The company's first user who may act for it: the one who created it, unless that user is disabled. */
export function findFirstUser(db: Db, companyId: number): Promise<{ id: number; email: string } | undefined> {
  return usersOf(db, companyId)
    .select(['users.id', 'users.email'])
    .where('users.state', '=', 'enabled')
    .orderBy('users.id')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Does somebody else sign in with this email address, in any case? Such addresses are unique on the whole platform; any
 * number of companies may invite the same one.
 */
export async function isEmailTaken(db: Db, email: string, self?: { id: number }): Promise<boolean> {
  const user = await findUserByEmail(db, email)
  return user !== undefined && user.id !== self?.id && (hasAccepted(user) || user.state === 'enabled')
}

/** Does the company have a user with this email address, in any case and any state? */
/** How many of a company's users may sign in, and do so with a password alone. */
export async function countWithoutSecondFactor(db: Db, companyId: number): Promise<number> {
  const { count } = await usersOf(db, companyId)
    .leftJoin('second_factors', (join) =>
      join
        .onRef('second_factors.company_id', '=', 'users.company_id')
        .onRef('second_factors.user_id', '=', 'users.id')
        .on('second_factors.confirmed_at', 'is not', null),
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('users.state', '=', 'enabled')
    .where('second_factors.user_id', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export async function hasUser(db: Db, companyId: number, email: string): Promise<boolean> {
  const row = await usersOf(db, companyId).select('users.id').where(hasEmail(email)).executeTakeFirst()
  return row !== undefined
}

export async function readUserIds(db: Db, companyId: number, after: number, limit: number): Promise<number[]> {
  const rows = await usersOf(db, companyId)
    .select('users.id')
    .where('users.id', '>', after)
    .orderBy('users.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** The names of users of a company, by their ids; the email address of one without a name. */
export async function readUserNames(db: Db, companyId: number, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await usersOf(db, companyId)
    .select(['users.id', 'users.first_name', 'users.last_name', 'users.email'])
    .where('users.id', '=', anyOf(ids))
    .execute()
  return new Map(rows.map(({ id, first_name, last_name, email }) => [id, `${first_name} ${last_name}`.trim() || email]))
}

/** The documents of all users of a company, for the operator. */
export async function readUsers(db: Db, companyId: number): Promise<UserState[]> {
  const rows = await shownUsersOf(db, companyId).selectAll('users').orderBy('users.id').execute()
  return rows.map(asState)
}

/** Users without a document: they were added before documents existed, or by an older version since. */
export function readUnpresentedUsers(db: Db): Promise<{ company_id: number; id: number }[]> {
  return db
    .selectFrom('users')
    .select(['users.company_id', 'users.id'])
    .where('users.document', 'is', null)
    .orderBy('users.id')
    .execute()
}

/** The time zone of a company, as minutes to UTC: that of its first user. */
export async function readTimeZone(db: Db, companyId: number): Promise<number> {
  const first = await usersOf(db, companyId).select('time_zone').orderBy('id').limit(1).executeTakeFirst()
  return first?.time_zone ?? 0
}

/** Users belong to their own company, also while they work for another one. */
async function homeOf(db: Db, { userId, companyId }: Pick<Caller, 'userId' | 'companyId'>): Promise<number> {
  return (await findUser(db, userId ?? 0))?.company_id ?? companyId
}

/** The document of the caller's own user. */
export async function getOwnDocument(db: Db, caller: Pick<Caller, 'userId' | 'companyId'>): Promise<string> {
  return getUserDocument(db, await homeOf(db, caller), String(caller.userId))
}

export async function lockOwnUser(tx: Tx, caller: Pick<Caller, 'userId' | 'companyId'>): Promise<UserState> {
  return lockUser(tx, await homeOf(tx, caller), String(caller.userId))
}

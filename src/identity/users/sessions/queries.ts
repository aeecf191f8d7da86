import { findCompany, listOtherCompanies } from '#identity/companies/queries.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { condition } from '#platform/db/expressions.ts'
import type { Session } from '#platform/identity/session.ts'
import { userNotFound } from '../errors.ts'
import { findUser, lockUserById } from '../queries.ts'
import { namesOf, readPermissions } from '../rules.ts'
import type { Permissions } from '../schema.ts'
import type { UserState } from '../state.ts'

/** The session with a token's hash, if it has not ended and its user may sign in. */
export async function findSession(db: Db, tokenHash: Buffer, now: Date): Promise<Session | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.company_id', '=', 'sessions.company_id').onRef('users.id', '=', 'sessions.user_id'),
    )
    .innerJoin('companies as own', 'own.id', 'sessions.company_id')
    .leftJoin('companies as acting', (join) =>
      join
        .onRef('acting.id', '=', 'sessions.acting_company_id')
        .on((on) =>
          on.or([
            on('acting.partner_id', '=', on.ref('sessions.company_id')),
            on('acting.sandbox_of', '=', on.ref('sessions.company_id')),
          ]),
        ),
    )
    .leftJoin('second_factors', (join) =>
      join
        .onRef('second_factors.company_id', '=', 'sessions.company_id')
        .onRef('second_factors.user_id', '=', 'sessions.user_id'),
    )
    .select([
      'sessions.company_id',
      'acting.id as acting_id',
      'sessions.user_id',
      'sessions.second_factor_due',
      'own.second_factor_required',
      'acting.second_factor_required as acting_requires_second_factor',
      'second_factors.confirmed_at as second_factor_since',
      'sessions.seen_at',
      'sessions.expires_at',
      'users.permissions',
      'users.language',
      'users.time_zone',
    ])
    .$narrowType<{ permissions: Partial<Permissions> }>()
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', now)
    .where('users.state', '=', 'enabled')
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    companyId: row.company_id,
    actsForId: row.acting_id ?? row.company_id,
    userId: row.user_id,
    key: tokenHash.toString('hex'),
    secondFactorDue: row.second_factor_due,
    secondFactorMissing:
      row.second_factor_since === null && (row.second_factor_required || row.acting_requires_second_factor === true),
    seenAt: row.seen_at,
    expiresAt: row.expires_at,
    permissions: namesOf(readPermissions(row.permissions)),
    language: row.language,
    utcOffset: row.time_zone,
  }
}

type CompanyName = { id: number; company_name: string }

type SessionHolder = {
  user: UserState
  company: CompanyName
  currency: string
  deletionDueAt: Date | null
  sandbox: boolean
  companies: CompanyName[]
}

/** The user of a session, the company that the user works for, and all that the user can work for. */
export async function getSessionHolder(db: Db, { userId, companyId, actsForId }: Session): Promise<SessionHolder> {
  const [user, own, acting, associates] = await Promise.all([
    findUser(db, userId),
    findCompany(db, companyId),
    findCompany(db, actsForId),
    listOtherCompanies(db, companyId),
  ])
  if (user === undefined || own === undefined || acting === undefined) throw userNotFound(String(userId))
  const nameOf = ({ id, company_name }: CompanyName) => ({ id, company_name })
  return {
    user,
    company: nameOf(acting),
    currency: acting.currency,
    deletionDueAt: acting.deletion_due_at,
    sandbox: acting.sandbox,
    companies: [nameOf(own), ...associates],
  }
}

export type SessionRow = { browser: string; address: string; created_at: Date; seen_at: Date; key: string }

/** The sessions of a user, latest first. */
export async function listSessions(db: Db, { companyId, userId }: Session, now: Date): Promise<SessionRow[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['token_hash', 'browser', 'address', 'created_at', 'seen_at'])
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId)
    .where('second_factor_due', '=', false)
    .where('expires_at', '>', now)
    .orderBy('seen_at', 'desc')
    .limit(50)
    .execute()
  return rows.map(({ token_hash, ...row }) => ({ ...row, key: token_hash.toString('hex') }))
}

/**
 * Locks the user until the transaction ends, and returns whether the session still exists: a session that was ended
 * meanwhile, perhaps by the true owner, changes nothing more.
 */
export async function lockSession(tx: Tx, { companyId, userId, key }: Session): Promise<boolean> {
  await lockUserById(tx, companyId, userId)
  const row = await tx
    .selectFrom('sessions')
    .select('user_id')
    .where('company_id', '=', companyId)
    .where('token_hash', '=', Buffer.from(key, 'hex'))
    .executeTakeFirst()
  return row !== undefined
}

/** Has this user signed in before, in the browser with this token? */
export async function isKnownBrowser(
  db: Db,
  tokenHash: Buffer,
  user: { email: string } | { userId: number },
): Promise<boolean> {
  // PostgreSQL refuses text with NUL, which no stored value has.
  if ('email' in user && user.email.includes('\0')) return false
  const row = await db
    .selectFrom('known_browsers')
    .innerJoin('users', (join) =>
      join.onRef('users.company_id', '=', 'known_browsers.company_id').onRef('users.id', '=', 'known_browsers.user_id'),
    )
    .select('known_browsers.user_id')
    .where('known_browsers.token_hash', '=', tokenHash)
    .where(
      'email' in user
        ? condition`lower(users.email) = lower(${user.email}::text)`
        : condition`users.id = ${user.userId}`,
    )
    .executeTakeFirst()
  return row !== undefined
}

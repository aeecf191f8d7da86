import { sql } from 'kysely'
import { record } from '#history/audit/commands.ts'
import { companyNotOffered } from '#identity/companies/errors.ts'
import { findCompany, listOtherCompanies } from '#identity/companies/queries.ts'
import { deleteBatch } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Row } from '#platform/db/expressions.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import { randomToken, tokenHash } from '#platform/identity/crypto.ts'
import type { Origin } from '#platform/identity/origin.ts'
import type { Session } from '#platform/identity/session.ts'
import { lockSession } from './queries.ts'
import { browserName } from './rules.ts'

const HOUR = 3600
const DAY = 24 * HOUR

/** A session ends after it was unused for this long. */
const IDLE_SECONDS = 12 * HOUR
/** A session ends after this, even if it is in use. */
const LONGEST_SECONDS = 30 * DAY
/** The time to find the phone and type six digits. */
const SECOND_FACTOR_SECONDS = 600
const BROWSER_SECONDS = 365 * DAY
/** Use is noted at most this often, so that viewing pages writes next to nothing. */
const SEEN_SECONDS = 300

type User = { company_id: number; id: number }

const after = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)

/** Opens a session and returns its token, which goes to one browser only. */
export async function startSession(
  tx: Tx,
  user: User,
  { secondFactorDue, userAgent }: { secondFactorDue: boolean; userAgent: string },
  origin: Origin,
  now: Date,
): Promise<string> {
  const token = randomToken()
  await tx
    .insertInto('sessions')
    .values({
      token_hash: tokenHash(token),
      company_id: user.company_id,
      user_id: user.id,
      second_factor_due: secondFactorDue,
      browser: browserName(userAgent),
      address: origin.address,
      created_at: now,
      seen_at: now,
      expires_at: after(now, secondFactorDue ? SECOND_FACTOR_SECONDS : IDLE_SECONDS),
    })
    .execute()
  return token
}

/** Remembers a browser in which the user has signed in, and returns the token that identifies it. */
export async function rememberBrowser(tx: Tx, user: User, now: Date): Promise<string> {
  const token = randomToken()
  await tx
    .insertInto('known_browsers')
    .values({
      token_hash: tokenHash(token),
      company_id: user.company_id,
      user_id: user.id,
      created_at: now,
      seen_at: now,
    })
    .execute()
  return token
}

/** Renews the record of a browser in which the user signs in again. */
export async function renewBrowser(tx: Tx, user: User, token: string, now: Date): Promise<void> {
  await tx
    .updateTable('known_browsers')
    .set({ seen_at: now })
    .where('company_id', '=', user.company_id)
    .where('token_hash', '=', tokenHash(token))
    .execute()
}

/** Should this use of a session be noted? Use does not extend a session that waits for its second factor. */
export function isDue({ secondFactorDue, seenAt }: Session, now: Date): boolean {
  return !secondFactorDue && seenAt <= after(now, -SEEN_SECONDS)
}

/** Extends a session that is in use, up to the maximum. Of many requests at once, one writes. */
export async function touchSession(tx: Tx, session: Session, now: Date): Promise<void> {
  await tx
    .updateTable('sessions')
    .set((row) => ({
      seen_at: now,
      expires_at: sql<
        Row<'sessions'>['expires_at']
      >`least(${after(now, IDLE_SECONDS)}, ${row.ref('created_at')} + make_interval(secs => ${LONGEST_SECONDS}))`,
    }))
    .where('company_id', '=', session.companyId)
    .where('token_hash', '=', Buffer.from(session.key, 'hex'))
    .where('seen_at', '<=', after(now, -SEEN_SECONDS))
    .execute()
}

export async function endSession(tx: Tx, session: Session): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('company_id', '=', session.companyId)
    .where('token_hash', '=', Buffer.from(session.key, 'hex'))
    .execute()
}

/**
 * Lets a user work for another company: their own, or one that names it as its partner. It is on record there. False if the
 * session has ended meanwhile.
 */
export async function switchCompany(
  tx: Tx,
  session: Session,
  companyId: number,
  origin: Origin,
  now: Date,
): Promise<boolean> {
  if (!(await lockSession(tx, session))) return false
  const isOwn = companyId === session.companyId
  const associates = isOwn ? [] : await listOtherCompanies(tx, session.companyId)
  if (!isOwn && !associates.some(({ id }) => id === companyId))
    throw validationFailed('company_id', companyNotOffered())
  await tx
    .updateTable('sessions')
    .set({ acting_company_id: isOwn ? null : companyId })
    .where('company_id', '=', session.companyId)
    .where('token_hash', '=', Buffer.from(session.key, 'hex'))
    .execute()
  if (companyId === session.actsForId) return true
  const home = await findCompany(tx, session.companyId)
  const subject = home?.company_name ?? ''
  await record(tx, { companyId, userId: session.userId, action: 'company entered', subject }, origin, now)
  return true
}

/** Ends every session of a user except the named one. */
export async function endSessions(tx: Tx, user: User, except?: Session): Promise<void> {
  let ended = tx.deleteFrom('sessions').where('company_id', '=', user.company_id).where('user_id', '=', user.id)
  if (except !== undefined) ended = ended.where('token_hash', '!=', Buffer.from(except.key, 'hex'))
  await ended.execute()
}

/** Forgets the user's browsers too, because another person may have used one of them. */
export async function forgetBrowsers(tx: Tx, user: User): Promise<void> {
  await tx
    .deleteFrom('known_browsers')
    .where('company_id', '=', user.company_id)
    .where('user_id', '=', user.id)
    .execute()
}

export async function deleteOldSessions(tx: Tx, now: Date): Promise<number> {
  return (
    (await deleteBatch(tx, 'sessions', 'expires_at', sql`expires_at < ${now}`)) +
    (await deleteBatch(tx, 'known_browsers', 'seen_at', sql`seen_at < ${after(now, -BROWSER_SECONDS)}`))
  )
}

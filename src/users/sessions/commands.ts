import { sql } from 'kysely'
import { randomToken, tokenHash } from '#platform/crypto.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Origin } from '#platform/origin.ts'
import type { Session } from '#platform/session.ts'
import { browserName } from './rules.ts'

const HOUR = 3600
const DAY = 24 * HOUR

/** Unused for this long, a session ends. */
const IDLE_SECONDS = 12 * HOUR
/** However much it is used, a session ends after this. */
const LONGEST_SECONDS = 30 * DAY
/** To find the telephone and type six digits. */
const SECOND_FACTOR_SECONDS = 600
const BROWSER_SECONDS = 365 * DAY
/** A session is seen again at most this often, so that looking at pages writes next to nothing. */
const SEEN_SECONDS = 300

type User = { company_id: number; id: number }

const after = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)

/** Opens a session and answers its token, which is shown to one browser once. */
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

/** Remembers a browser as one in which the user has signed in, and answers the token that it is known by. */
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

/** Renews what is known of a browser in which the user signs in again. */
export async function seeBrowser(tx: Tx, user: User, token: string, now: Date): Promise<void> {
  await tx
    .updateTable('known_browsers')
    .set({ seen_at: now })
    .where('company_id', '=', user.company_id)
    .where('token_hash', '=', tokenHash(token))
    .execute()
}

/** Should this use of a session be noted? One that waits for its second factor ends when it ends. */
export function isDue({ secondFactorDue, seenAt }: Session, now: Date): boolean {
  return !secondFactorDue && seenAt <= after(now, -SEEN_SECONDS)
}

/** Keeps a session that is used from ending, up to the longest. Of many requests at once, one writes. */
export async function touchSession(tx: Tx, session: Session, now: Date): Promise<void> {
  await tx
    .updateTable('sessions')
    .set((row) => ({
      seen_at: now,
      expires_at: sql<Date>`least(${after(now, IDLE_SECONDS)}, ${row.ref('created_at')} + make_interval(secs => ${LONGEST_SECONDS}))`,
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

/** Ends every session of a user but the one that is named. */
export async function endSessions(tx: Tx, user: User, except?: Session): Promise<void> {
  let ended = tx.deleteFrom('sessions').where('company_id', '=', user.company_id).where('user_id', '=', user.id)
  if (except !== undefined) ended = ended.where('token_hash', '!=', Buffer.from(except.key, 'hex'))
  await ended.execute()
}

/** The browsers that know a user are forgotten too when somebody else may have been in one. */
export async function forgetBrowsers(tx: Tx, user: User): Promise<void> {
  await tx
    .deleteFrom('known_browsers')
    .where('company_id', '=', user.company_id)
    .where('user_id', '=', user.id)
    .execute()
}

export async function deleteOldSessions(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('sessions').where('expires_at', '<', now).execute()
  await tx.deleteFrom('known_browsers').where('seen_at', '<', after(now, -BROWSER_SECONDS)).execute()
}

import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { randomToken, tokenHash } from '#platform/identity/crypto.ts'
import { HANDOVER_SECONDS } from './rules.ts'
import type { CustomerSession } from './state.ts'

/**
 * Offers the session of a shop to another host of the same shop, and returns a token that works there once, within a minute
 * and in the browser that has the value of the state. The new session ends together with the one that it comes from.
 */
export async function offerSession(
  tx: Tx,
  { companyId, themeSettingId, key }: CustomerSession,
  state: Buffer,
  now: Date,
): Promise<string> {
  const token = randomToken()
  // A session that came from another one is its sibling's twin: all end with the first.
  await sql`insert into customer_sessions (token_hash, company_id, theme_setting_id, customer_id, order_ids, browser, network,
      created_at, seen_at, expires_at, parent_hash, handover_state)
    select ${tokenHash(token)}, company_id, theme_setting_id, customer_id, order_ids, browser, network, created_at, seen_at,
      ${new Date(now.getTime() + HANDOVER_SECONDS * 1000)}, coalesce(parent_hash, token_hash), ${state}
    from customer_sessions where company_id = ${companyId} and theme_setting_id = ${themeSettingId}
      and token_hash = ${Buffer.from(key, 'hex')}`.execute(tx)
  return token
}

/** Opens an offered session for a browser, and returns its own token. Undefined if it was taken, is late, or is not for it. */
export async function takeSession(
  tx: Tx,
  shop: { company_id: number; id: number },
  token: string,
  state: Buffer,
  now: Date,
): Promise<string | undefined> {
  const own = randomToken()
  const { rows } = await sql`update customer_sessions as offered
    set token_hash = ${tokenHash(own)}, handover_state = null, expires_at = parent.expires_at
    from customer_sessions as parent
    where offered.company_id = ${shop.company_id} and offered.theme_setting_id = ${shop.id}
      and offered.token_hash = ${tokenHash(token)} and offered.handover_state = ${state} and offered.expires_at > ${now}
      and parent.token_hash = offered.parent_hash and parent.expires_at > ${now}
    returning offered.customer_id`.execute(tx)
  return rows.length === 0 ? undefined : own
}

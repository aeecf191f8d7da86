import { offerSession, takeSession } from '#people/customers/sessions/handover.commands.ts'
import type { CustomerSession } from '#people/customers/sessions/state.ts'
import type { Tx } from '#platform/db/database.ts'
import { tokenHash } from '#platform/identity/crypto.ts'

/** Offers a session to the domain of My Content, for the browser whose value has this hash. */
export function giveSession(tx: Tx, session: CustomerSession, state: Buffer, now: Date): Promise<string> {
  return offerSession(tx, session, state, now)
}

/** Opens an offered session in the browser that asked for it; undefined if it did not, or if it is too late. */
export async function takeOver(
  tx: Tx,
  shop: { company_id: number; id: number },
  token: string,
  value: string | undefined,
  now: Date,
): Promise<string | undefined> {
  return value === undefined ? undefined : takeSession(tx, shop, token, tokenHash(value), now)
}

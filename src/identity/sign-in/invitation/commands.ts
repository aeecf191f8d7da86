import { acceptInvitation } from '#identity/users/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Origin } from '#platform/identity/origin.ts'
import { admit, type Tokens } from '../commands.ts'

export type Acceptance = { token: string; passwordHash: string; firstName: string; lastName: string }

/** Accepts an invitation and signs the new user in; undefined if the link does not work any more. */
export async function joinCompany(
  tx: Tx,
  acceptance: Acceptance,
  userAgent: string,
  origin: Origin,
  now: Date,
): Promise<Tokens | 'address in use' | undefined> {
  const user = await acceptInvitation(tx, acceptance, origin, now)
  if (user === undefined || user === 'address in use') return user
  return admit(tx, user, { userAgent, knownBrowser: undefined }, 'with an invitation', origin, now)
}

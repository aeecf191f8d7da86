import { admit, type Tokens } from '#identity/sign-in/commands.ts'
import { hasSecondFactor } from '#identity/sign-in/second-factor/queries.ts'
import { createLink, useLink } from '#identity/users/links/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Origin } from '#platform/identity/origin.ts'

/**
 * Makes the link by which the reader of the terminal enters the demo shop; the last one ends. Undefined for a user with a
 * second factor: no link replaces that.
 */
export async function createDemoLink(
  tx: Tx,
  user: { companyId: number; userId: number },
  now: Date,
): Promise<string | undefined> {
  if (await hasSecondFactor(tx, user)) return undefined
  return createLink(tx, { kind: 'demo', ...user }, now)
}

/** Signs the owner of the demo shop in; undefined if the link no longer works. */
export async function enterDemo(
  tx: Tx,
  token: string,
  userAgent: string,
  origin: Origin,
  now: Date,
): Promise<Tokens | undefined> {
  const link = await useLink(tx, 'demo', token, now)
  if (link === undefined || link.companyId === null || link.userId === null) return undefined
  const user = { company_id: link.companyId, id: link.userId }
  return admit(tx, user, { userAgent, knownBrowser: undefined }, 'by the link of the demo shop', origin, now)
}

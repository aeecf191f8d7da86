import { statusOf } from '#rights/entitlements/rights/rules.ts'
import { refusalInWords } from '#rights/entitlements/rights/sentences.rules.ts'
import { rightsOf } from '#rights/entitlements/rules.ts'
import { fileProtected, fileStreamed } from './errors.ts'
import { filesOfPurchase } from './rules.ts'
import type { FileOfPurchase, Grant } from './state.ts'

/** What is asked for with an entitlement. Without an id it is the best file that belongs to it. */
export type Wanted = { kind: 'file'; id: number | undefined }

export type Verdict =
  | { kind: 'allowed'; file: FileOfPurchase }
  /** It belongs to another product, to a better version, or does not exist. */
  | { kind: 'not included' }
  /** The entitlement was revoked, has ended, or is suspended: in words for the customer. */
  | { kind: 'ended'; reason: string }

/**
 * Refuses the address of a file that is protected. Reading apps get it encrypted, pages read books part by part, and players get
 * encrypted segments. A recording that cannot be packed is played from its file, and not downloaded.
 */
export function assertGivenOut({ protection, is_streamed, name }: FileOfPurchase, action: 'download' | 'play'): void {
  if (protection === null) return
  const isPlayed = action === 'play' && protection === 'audiobook'
  if (isPlayed && !is_streamed) return
  throw protection === 'stream' || isPlayed ? fileStreamed(name) : fileProtected(name)
}

/** The files that belong to an entitlement, the best one first. */
export function filesOf({ entitlement, files }: Grant): FileOfPurchase[] {
  return filesOfPurchase(files, entitlement)
}

/**
 * Decides what a request may fetch with an entitlement. Everything that is delivered asks here, at the moment it is
 * delivered: an address that was given out earlier is worth nothing after the entitlement has ended. Whether an action is
 * allowed and counted is decided by the rights engine before an address is given out.
 */
export function decideAccess(grant: Grant, wanted: Wanted, now: Date): Verdict {
  const included = filesOf(grant)
  const file = wanted.id === undefined ? included[0] : included.find(({ id }) => id === wanted.id)
  if (file === undefined) return { kind: 'not included' }
  const rights = rightsOf(grant.entitlement)
  const { refusal } = statusOf(rights, now)
  if (refusal === null) return { kind: 'allowed', file }
  return { kind: 'ended', reason: refusalInWords(refusal, rights, now, grant.language) }
}

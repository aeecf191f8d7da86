import { endOf } from '../rights/periods.rules.ts'
import { remainingOf, UNLIMITED } from '../rights/rules.ts'
import type { Rights } from '../rights/state.ts'

const DAY_MS = 86_400_000

/** A device learns within this time that an entitlement was revoked or has changed. */
const DAYS_MAX = 30
/** Content without protection and without an end can be copied anyway, so its file only has to be renewed yearly. */
const DAYS_WITHOUT_LIMITS = 365

/** When a file that is issued now ends. Issuing it counts as the first use. */
export function fileEnd(rights: Rights, now: Date): Date {
  const end = endOf({ ...rights, first_used_at: rights.first_used_at ?? now })
  const days = rights.terms.drm === 0 && end === null ? DAYS_WITHOUT_LIMITS : DAYS_MAX
  const latest = new Date(now.getTime() + days * DAY_MS)
  return end !== null && end < latest ? end : latest
}

/** Actions without a connection. The service has to count those that are limited, so they are not among them. */
export function offlineActions(rights: Rights, now: Date) {
  const { exports, burns, prints } = remainingOf(rights, now)
  return { play: true, export: exports === null, burn: burns === null, print: prints === null }
}

/** With printing allowed, `burn_play` is the number of pages that one print may have. */
export function pagesPerPrint({ terms }: Pick<Rights, 'terms'>): number | null {
  return terms.drm === 0 || terms.burn_play === UNLIMITED ? null : terms.burn_play
}

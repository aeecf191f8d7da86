import { endOf } from '#rights/entitlements/rights/periods.rules.ts'
import type { Rights } from '#rights/entitlements/rights/state.ts'

/** A license opens a few seconds of a film that is being played, and nothing is gained by a longer one. */
const LICENSE_HOURS_MAX = 12

/** Until when a player may keep a key. */
export function licenseEnd(rights: Rights, now: Date): Date {
  const end = endOf(rights)
  const latest = new Date(now.getTime() + LICENSE_HOURS_MAX * 3_600_000)
  return end !== null && end < latest ? end : latest
}

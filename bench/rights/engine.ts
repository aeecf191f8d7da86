import { afterAction, decide, HOLD_MS, NO_USAGE } from '#rights/entitlements/rights/rules.ts'
import type { Ask, Rights } from '#rights/entitlements/rights/state.ts'
import { NO_LICENSE } from '#rights/entitlements/rules.ts'

const WARM_UP_SHARE = 0.2

/** Microseconds for a decision with the rights after it, under a license with every kind of limit. */
export function measureEngine(decisions: number): number {
  const acquired_at = new Date('2026-01-31T10:00:00Z')
  const now = new Date('2026-02-20T10:00:00Z')
  const rights: Rights = {
    terms: {
      ...NO_LICENSE,
      drm: 1,
      total_downloads: 1000,
      annual_downloads: 500,
      total_concurrent_devices: 3,
      annual_concurrent_devices: 10,
      disable_on_clock_rollback: 1,
      expire_after_acquisition: 2,
      expire_after_acquisition_mode: 2,
      expire_after_first_use: 40,
      expire_after_first_use_mode: 1,
    },
    product_type: 1,
    users: 1,
    acquired_at,
    released_at: null,
    first_used_at: acquired_at,
    revoked: null,
    on_hold: false,
    suspended: false,
    usage: { ...NO_USAGE, holds: [{ device: 'a', until: null }] },
    membership: null,
  }
  const until = new Date(now.getTime() + HOLD_MS)
  const asks: Ask[] = (['play', 'download'] as const).map((action) => ({
    action,
    device: { id: 'b', last_client_time: now },
    client_time: now,
    pages: 1,
  }))
  let allowed = 0
  const run = (times: number) => {
    for (let time = 0; time < times; time += 1)
      for (const ask of asks) {
        const code = decide(rights, ask, now)
        if (code === 'allowed' && afterAction(rights, ask, code, now, until).usage.holds.length > 0) allowed += 1
      }
  }
  const warmUp = decisions * WARM_UP_SHARE
  run(warmUp / asks.length)
  const started = performance.now()
  run(decisions / asks.length)
  const micros = ((performance.now() - started) * 1000) / decisions
  if (allowed !== warmUp + decisions) throw new Error('the engine refused what it should allow')
  return micros
}

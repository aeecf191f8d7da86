import { afterAction, type Code, decide, HOLD_MS, NO_USAGE } from '#rights/entitlements/rights/rules.ts'
import type { Action, Ask, Rights, Terms } from '#rights/entitlements/rights/state.ts'
import { NO_LICENSE } from '#rights/entitlements/rules.ts'

export const BOUGHT = new Date('2026-03-10T15:00:00Z')
export const HOUR = 3_600_000
export const later = (hours: number, from = BOUGHT) => new Date(from.getTime() + hours * HOUR)
export const [FILM, ALBUM, BOOK] = [1, 24, 16]

/** A license with every right and no limit, that is protected. */
export const ALL: Terms = { ...NO_LICENSE, drm: 1, export_pdf_print: null }

export function rights(terms: Partial<Terms> = {}, others: Partial<Rights> = {}): Rights {
  return {
    terms: { ...ALL, ...terms },
    product_type: FILM,
    users: 1,
    acquired_at: BOUGHT,
    released_at: null,
    first_used_at: null,
    revoked: null,
    on_hold: false,
    suspended: false,
    usage: NO_USAGE,
    membership: null,
    ...others,
  }
}

export function ask(action: Action = 'play', others: Partial<Ask> = {}): Ask {
  return { action, device: { id: 'tv', last_client_time: null }, client_time: null, pages: 1, ...others }
}

export const on = (device: string, action: Action = 'play'): Ask =>
  ask(action, { device: { id: device, last_client_time: null } })

/** Asks and counts, as a player does. */
export function use(before: Rights, asked: Ask, now = BOUGHT): { code: Code; after: Rights } {
  const code = decide(before, asked, now)
  return { code, after: afterAction(before, asked, code, now, new Date(now.getTime() + HOLD_MS)) }
}

/** The codes of several uses, one after another. */
export function useAll(before: Rights, asks: [Ask, Date?][]): Code[] {
  let current = before
  return asks.map(([asked, now]) => {
    const { code, after } = use(current, asked, now)
    current = after
    return code
  })
}

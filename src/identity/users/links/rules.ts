export type LinkKind = 'invitation' | 'reset' | 'first run' | 'demo'

export type LinkOwner = { companyId: number; userId: number }

/** The link of the first run has no owner, because it is made before any company. */
export type NewLink =
  | { kind: 'first run'; companyId: null; userId: null }
  | ({ kind: 'invitation' | 'reset' | 'demo' } & LinkOwner)

export type FoundLink = { companyId: number | null; userId: number | null }

const HOUR_MS = 3_600_000
const LIFETIME_MS: Record<LinkKind, number> = {
  invitation: 7 * 24 * HOUR_MS,
  reset: HOUR_MS,
  'first run': 7 * 24 * HOUR_MS,
  demo: 24 * HOUR_MS,
}

/** When a link that is created now expires. */
export function linkExpiry(kind: LinkKind, now: Date): Date {
  return new Date(now.getTime() + LIFETIME_MS[kind])
}

/** The page that a link leads to. */
export function linkAddress(baseUrl: string, kind: 'invitation' | 'reset', token: string): string {
  return `${baseUrl}/${kind}/${token}`
}

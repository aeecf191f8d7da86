/** The domains that a company has to prove; labels below the service's own host are the service's to give. */
export type ProvedKind = 'shop_domain' | 'access_domain'

/** What the domain name system says about a domain: who may use it here. */
export type Claims = {
  /** Companies that a TXT record names. */
  companies: number[]
  /** Shops whose own sub-domain the domain is a CNAME of. */
  themeSettings: number[]
}

export type Lookup = { kind: 'read'; claims: Claims } | { kind: 'unreachable' }

/** A shop that asks for a domain, or has it. */
export type Claimant = {
  company_id: number
  theme_setting_id: number
  proved_at: Date | null
  missing_since: Date | null
  checks: number
}

/** The record that proves a domain for a company. */
export function proofRecord(companyId: number, host: string) {
  return { type: 'TXT' as const, name: `_licet.${host}`, value: `licet-company=${companyId}` }
}

/** The company that a TXT record names; undefined for any other record. */
export function companyIn(text: string): number | undefined {
  const [, id] = /^\s*licet-company=(\d{1,15})\s*$/.exec(text) ?? []
  return id === undefined ? undefined : Number(id)
}

/** The shop whose numeric sub-domain a CNAME record points to. The bare host of the service says nothing of a company. */
export function themeSettingIn(target: string, ownHost: string): number | undefined {
  const name = target.toLowerCase().replace(/\.$/, '')
  const label = name.endsWith(`.${ownHost}`) ? name.slice(0, -ownHost.length - 1) : ''
  return /^\d{1,15}$/.test(label) ? Number(label) : undefined
}

export function isProved({ companies, themeSettings }: Claims, claimant: Claimant): boolean {
  return companies.includes(claimant.company_id) || themeSettings.includes(claimant.theme_setting_id)
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A record that goes missing may be a mistake: the shop answers for this long without it. */
export const GRACE_SECONDS = 7 * DAY

/** Seconds until the next look: often at first, while the owner sets the record, then once a day. */
export function nextCheckSeconds(isAnswering: boolean, checks: number): number {
  if (isAnswering) return DAY
  if (checks <= 10) return MINUTE
  if (checks <= 20) return 10 * MINUTE
  return checks <= 44 ? HOUR : DAY
}

/**
 * The claimants after a look at a domain. The shop that has it keeps it while its proof is there. Without the proof it
 * loses it to a shop that has proved it, or after a week.
 */
export function settle<Row extends Claimant>(claimants: readonly Row[], claims: Claims, now: Date): Row[] {
  const holder = claimants.find(({ proved_at }) => proved_at !== null)
  const winner =
    holder !== undefined && isProved(claims, holder) ? holder : claimants.find((each) => isProved(claims, each))
  return claimants.map((each) => {
    if (each === winner) return { ...each, proved_at: each.proved_at ?? now, missing_since: null, checks: 0 }
    if (each.proved_at === null) return { ...each, checks: each.checks + 1 }
    const missing_since = each.missing_since ?? now
    const isOver = winner !== undefined || now.getTime() - missing_since.getTime() >= GRACE_SECONDS * 1000
    return isOver ? { ...each, proved_at: null, missing_since: null, checks: 1 } : { ...each, missing_since }
  })
}

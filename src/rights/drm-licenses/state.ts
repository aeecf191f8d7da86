import type { Protection } from '#rights/entitlements/rights/state.ts'
import type { DrmSystem } from './systems.facts.ts'

/** What a license is asked for: a key of a film that somebody plays. */
export type LicensedKey = {
  id: string
  key: Buffer
  quality: 'hd' | 'sd'
  /** The company whose film it is, and the content file. */
  companyId: number
  fileId: number
  device: string
}

/** What a statement says, beside who has made it and for whom. */
export type StatementClaims = {
  jti: string
  iat: number
  exp: number
  system: DrmSystem
  decision: 'allowed'
  company_id: number
  entitlement_id: number
  product_id: string
  content_id: string
  quality: 'hd' | 'sd'
  key_ids: string[]
  device: string
  license: { starts_at: string; ends_at: string; persistent: false }
  output: Protection
}

/** The license request of a player. The service does not read it. */
export type LicenseRequest = { system: DrmSystem; body: Buffer }

/** What the proxy answered: a license, which the service does not read either, or none. */
export type ProxyAnswer =
  | { kind: 'license'; body: Buffer }
  | { kind: 'declined' }
  | { kind: 'out of reach'; error: Error }

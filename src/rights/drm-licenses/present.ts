import { wireTime } from '#platform/wire/times.ts'
import { protectionOf } from '#rights/entitlements/rights/rules.ts'
import { rightsOf } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { licenseEnd } from './rules.ts'
import type { LicensedKey, StatementClaims } from './state.ts'
import type { DrmSystem } from './systems.facts.ts'

/** A statement goes with one request. */
const STATEMENT_SECONDS = 60

/** What the rights engine decided about a key, without the key. Nothing in it names the customer. */
export function presentStatement(
  entitlement: EntitlementState,
  { id, quality, companyId, fileId, device }: Omit<LicensedKey, 'key'>,
  { system, jti }: { system: DrmSystem; jti: string },
  { now, machineNow }: { now: Date; machineNow: Date },
): StatementClaims {
  const rights = rightsOf(entitlement)
  const iat = Math.floor(machineNow.getTime() / 1000)
  return {
    jti,
    iat,
    exp: iat + STATEMENT_SECONDS,
    system,
    decision: 'allowed',
    company_id: entitlement.company_id,
    entitlement_id: entitlement.id,
    product_id: entitlement.product_id,
    content_id: `${companyId}-${fileId}`,
    quality,
    key_ids: [id],
    device,
    license: { starts_at: wireTime(now), ends_at: wireTime(licenseEnd(rights, now)), persistent: false },
    output: protectionOf(rights),
  }
}

import { asciiJson, wireTime } from '#platform/wire/times.ts'
import { protectionOf } from '../rights/rules.ts'
import { rightsOf } from '../rules.ts'
import type { EntitlementState } from '../state.ts'
import { offlineActions, pagesPerPrint } from './rules.ts'

const inSeconds = (time: Date) => Math.floor(time.getTime() / 1000)

/** What the file says beside who has issued it: the client has the same type. */
export function presentClaims(
  entitlement: EntitlementState,
  { issuer, id, device, end }: { issuer: string; id: string; device: string | null; end: Date },
  now: Date,
): Record<string, unknown> {
  const rights = rightsOf(entitlement)
  const { terms } = rights
  return {
    iss: issuer,
    sub: entitlement.customer_token,
    jti: id,
    iat: inSeconds(now),
    nbf: inSeconds(now),
    exp: inSeconds(end),
    company_id: entitlement.company_id,
    entitlement_id: entitlement.id,
    product_id: entitlement.product_id,
    title: entitlement.title,
    device,
    license: {
      title: entitlement.license_title ?? '',
      drm: terms.drm,
      actions: offlineActions(rights, now),
      pages_per_print: pagesPerPrint(rights),
      delete_on_clock_rollback: terms.delete_on_clock_rollback,
      disable_on_clock_rollback: terms.disable_on_clock_rollback,
      protection: protectionOf(rights),
    },
  }
}

/** The decision comes with the file, and alone if the customer may not play it. */
export function presentAnswer(decision: string, file: { jws: string; kid: string; end: Date } | null): string {
  const licenseFile =
    file === null ? 'null' : asciiJson({ jws: file.jws, expires_at: wireTime(file.end), kid: file.kid })
  return `{"license_file":${licenseFile},"decision":${decision}}`
}

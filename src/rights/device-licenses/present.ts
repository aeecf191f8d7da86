import { OWN_ADDRESS } from '#platform/wire/own-address.ts'
import { asciiJson, wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import { presentClaims } from '#rights/entitlements/offline/present.ts'
import { remainingOf } from '#rights/entitlements/rights/rules.ts'
import type { Rights } from '#rights/entitlements/rights/state.ts'
import { rightsOf } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { statusOfLicense } from './rules.ts'
import type { DeviceLicenseShown, IssuedDeviceLicense } from './schema.ts'
import type { DeviceClaims, DeviceLicense, LicenseChange, LicensedTrack } from './state.ts'

/** What a license says, without its keys: what a license file says, and for which key and which tracks. */
export function presentDeviceClaims(
  entitlement: EntitlementState,
  license: Pick<DeviceLicense, 'uid' | 'device_id' | 'thumbprint' | 'file_id'>,
  { issuer, end, tracks }: { issuer: string; end: Date; tracks: LicensedTrack[] },
  now: Date,
): DeviceClaims {
  const { uid, device_id, thumbprint, file_id } = license
  const claims = presentClaims(entitlement, { issuer, id: uid, device: device_id, end }, now)
  const exp = Math.floor(end.getTime() / 1000)
  const remaining = remainingOf(rightsOf(entitlement), now)
  return { ...claims, exp, cnf: { jkt: thumbprint }, file_id, remaining, tracks }
}

/** A license as a list shows it, without its status, which depends on the entitlement. */
export function presentStored(license: DeviceLicense): Omit<DeviceLicenseShown, 'status'> {
  const { id, entitlement_id, file_id, file_name, device_id, thumbprint } = license
  return {
    id,
    entitlement_id,
    file_id,
    name: file_name,
    device: device_id,
    thumbprint,
    issued_at: wireTime(license.issued_at),
    refreshed_at: wireTime(license.refreshed_at),
    ends_at: wireTime(license.ends_at),
    closed_at: wireTimeOrNull(license.closed_at),
  }
}

export function presentShown(license: DeviceLicense, rights: Rights, now: Date): DeviceLicenseShown {
  return { ...presentStored(license), status: statusOfLicense(license, rights, now) }
}

/** A license with its keys, and with the addresses of its tracks. */
export function presentIssued(
  license: DeviceLicense,
  { jws, kid }: { jws: string; kid: string },
  rights: Rights,
  now: Date,
): IssuedDeviceLicense {
  const place = `${OWN_ADDRESS}/api/entitlements/${license.entitlement_id}/device_licenses/${license.id}/tracks`
  const tracks = license.claims.tracks.map(({ id, bytes }) => ({ id, url: `${place}/${id}`, bytes }))
  return { ...presentShown(license, rights, now), jws, kid, tracks }
}

/** The decision comes with the license, and alone if the customer may not have it. */
export function presentAnswer(
  decision: string,
  license: IssuedDeviceLicense | null,
  changed?: LicenseChange[],
): string {
  const rest = changed === undefined ? '' : `,"changed":${asciiJson(changed)}`
  return `{"device_license":${asciiJson(license)},"decision":${decision}${rest}}`
}

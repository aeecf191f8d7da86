import { translatorOf } from '#platform/text/messages.ts'
import { asciiJson, wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import { presentDecision } from '#rights/entitlements/present.ts'
import type { Rights } from '#rights/entitlements/rights/state.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { FORMATS } from '#rights/publications/rules.ts'
import {
  currentEnd,
  isOpen,
  isReturnable,
  licenseChangedAt,
  licenseStatus,
  readingRights,
  registeredDevices,
  renewableUntil,
} from './rules.ts'
import type { ReadingLicenseShown } from './schema.ts'
import type { LicenseEvent, LicenseKeys, ReadingLicense, WholeLicense } from './state.ts'

export const LICENSE_TYPE = 'application/vnd.readium.lcp.license.v1.0+json'
export const STATUS_TYPE = 'application/vnd.readium.license.status.v1.0+json'

/** In the standards of reading apps, times name their zone. */
const zoned = (time: Date) => `${wireTime(time)}Z`

/** The addresses of a license. Nobody can guess them, and they stay the same for as long as there is the license. */
export function addressesOf(baseUrl: string, { company_id, uid }: Pick<ReadingLicense, 'company_id' | 'uid'>) {
  const place = `${baseUrl}/lcp/${company_id}/${uid}`
  return {
    license: `${place}/license.lcpl`,
    publication: `${place}/publication`,
    /** The publication with the license inside. */
    download: `${place}/download`,
    status: `${place}/status`,
    register: `${place}/register{?id,name}`,
    renew: `${place}/renew{?end,id,name}`,
    return: `${place}/return{?id,name}`,
  }
}

/** The name of a publication as a file, with the license inside or without. */
export function publicationName({ license, publication }: WholeLicense): string {
  return `${license.file_name.replace(/\.[A-Za-z0-9]{1,5}$/, '')}.${FORMATS[publication.kind].ending}`
}

type Issued = {
  profile: string
  baseUrl: string
  /** The page where the customer sees the passphrase. */
  hintUrl: string
  language: string
  rights: Rights
  entitlement: EntitlementState
  keys: LicenseKeys
}

/** The license of a reading app, before it is signed. */
export function presentLicense(
  whole: WholeLicense,
  { profile, baseUrl, hintUrl, language, rights, entitlement, keys }: Issued,
) {
  const { license, publication } = whole
  const { print, copy, start, end } = readingRights(license, rights)
  const links = addressesOf(baseUrl, license)
  const changedAt = licenseChangedAt(license, rights, entitlement.updated_at)
  return {
    id: license.uid,
    issued: zoned(license.issued_at),
    ...(changedAt > license.issued_at ? { updated: zoned(changedAt) } : {}),
    provider: baseUrl,
    encryption: {
      profile,
      content_key: {
        algorithm: 'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
        encrypted_value: keys.content_key,
      },
      user_key: {
        algorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
        text_hint: translatorOf(language)('rights.reading.hint'),
        key_check: keys.key_check,
      },
    },
    links: [
      {
        rel: 'publication',
        href: links.publication,
        type: FORMATS[publication.kind].content_type,
        title: publicationName(whole),
        length: publication.size,
        hash: publication.sha256,
      },
      { rel: 'hint', href: hintUrl, type: 'text/html' },
      { rel: 'status', href: links.status, type: STATUS_TYPE },
    ],
    rights: {
      ...(print === null ? {} : { print }),
      ...(copy === null ? {} : { copy }),
      start: zoned(start),
      ...(end === null ? {} : { end: zoned(end) }),
    },
    user: { id: entitlement.customer_token },
  }
}

/** The status document of a license. */
export function presentStatus(
  { license, events }: Pick<WholeLicense, 'license' | 'events'>,
  { baseUrl, language, rights, entitlement }: Pick<Issued, 'baseUrl' | 'language' | 'rights' | 'entitlement'>,
  now: Date,
) {
  const status = licenseStatus(license, events, rights, now)
  const links = addressesOf(baseUrl, license)
  const until = renewableUntil(license, rights, now)
  const templated = (rel: 'register' | 'renew' | 'return') => ({
    rel,
    href: links[rel],
    type: STATUS_TYPE,
    templated: true,
  })
  const changedAt = licenseChangedAt(license, rights, entitlement.updated_at)
  return {
    id: license.uid,
    status,
    message: translatorOf(language)(`rights.reading.status.${status}`),
    updated: { license: zoned(changedAt), status: zoned(later(license.status_updated_at, entitlement.updated_at)) },
    links: [
      { rel: 'license', href: links.license, type: LICENSE_TYPE },
      ...(isOpen(status) ? [templated('register')] : []),
      ...(until === undefined ? [] : [templated('renew')]),
      ...(isOpen(status) && isReturnable(license, rights) ? [templated('return')] : []),
    ],
    ...(until === undefined ? {} : { potential_rights: { end: zoned(until) } }),
    events: events.map(({ type, device_id, device_name, created_at }) => ({
      type,
      name: device_name,
      id: device_id,
      timestamp: zoned(created_at),
    })),
  }
}

const later = (one: Date, other: Date) => (one > other ? one : other)

/** The decision for somebody who has a license already: nothing is counted. */
export function presentAllowed(rights: Rights, language: string, now: Date): string {
  return asciiJson(presentDecision(rights, { code: 'allowed', shown: rights, language }, now))
}

/** A license as the API shows it. */
export function presentShown(
  license: ReadingLicense,
  events: readonly LicenseEvent[],
  rights: Rights,
  baseUrl: string,
  now: Date,
): ReadingLicenseShown {
  const { print, copy, start } = readingRights(license, rights)
  const { license: license_url, download: download_url, status: status_url } = addressesOf(baseUrl, license)
  return {
    id: license.id,
    entitlement_id: license.entitlement_id,
    file_id: license.file_id,
    name: license.file_name,
    status: licenseStatus(license, events, rights, now),
    issued_at: wireTime(license.issued_at),
    starts_at: wireTime(start),
    ends_at: wireTimeOrNull(currentEnd(license, rights)),
    renewable_until: wireTimeOrNull(renewableUntil(license, rights, now) ?? null),
    returned_at: wireTimeOrNull(license.returned_at),
    renewals: events.filter(({ type }) => type === 'renew').length,
    print,
    copy,
    license_url,
    download_url,
    status_url,
    devices: registeredDevices(events).map(({ device_name, created_at }) => ({
      name: device_name,
      registered_at: wireTime(created_at),
    })),
  }
}

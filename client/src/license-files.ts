import { fromBase64Url, utf8 } from './encoding.ts'

/** The actions that a license file can allow. Downloads need the service anyway. */
export type OfflineAction = 'play' | 'export' | 'burn' | 'print'

/** The content of a license file: what one customer may do on one device without a connection. */
export type LicenseFile = {
  /** The address of the service. */
  iss: string
  /** The token of the customer. */
  sub: string
  jti: string
  /** Seconds since 1970, as `nbf` and `exp`. */
  iat: number
  nbf: number
  exp: number
  company_id: number
  entitlement_id: number
  product_id: string
  title: string
  /** The device that the file is for. Null: it is for all devices of the customer. */
  device: string | null
  license: {
    title: string
    drm: 0 | 1
    /** An action that the license counts is false: ask the service for it. */
    actions: Record<OfflineAction, boolean>
    /** Null: as many as the customer likes. */
    pages_per_print: number | null
    delete_on_clock_rollback: 0 | 1
    disable_on_clock_rollback: 0 | 1
    /** The output protection that the player has to switch on. */
    protection: Record<string, number>
  }
}

/** Why a license file does not allow an action. The words never change. */
export type LicenseFileRefusal =
  /** It is no license file, or it was cut. */
  | 'malformed'
  /** None of the keys has signed it. Read the keys of the service again. */
  | 'unknown_key'
  /** It was changed, or signed by somebody else. */
  | 'altered'
  | 'wrong_device'
  /** The clock of the device is behind the time when the file was issued. */
  | 'not_yet_valid'
  /** Ask the service for a new one. */
  | 'expired'
  /** The clock of the device is behind the time that it has shown before, and the license minds. */
  | 'clock_set_back'
  /** `now` or `lastSeen` is not a time. If it was `lastSeen`, the one that is returned is right. */
  | 'clock_invalid'
  | `${OfflineAction}_not_allowed`
  | 'too_many_pages'

export type LicenseFileDecision = Decision<LicenseFile>

export type Decision<File> = {
  /** The time to store beside the file, and to pass with the next check of the same file. */
  lastSeen: number
} & (
  | { allowed: true; license: File }
  | {
      allowed: false
      reason: LicenseFileRefusal
      /** The file will never allow anything again: delete it. */
      isFinal: boolean
    }
)

export type JsonWebKeySet = { keys: readonly { kid?: string; kty?: string; crv?: string; x?: string }[] }

export type LicenseFileOptions = {
  /** The keys that the app has stored. */
  jwks?: JsonWebKeySet
  /** Reads the keys of the service, for a file whose key is not among the stored ones. */
  fetchJwks?: () => Promise<JsonWebKeySet>
  /** The id of this device, as it was sent to the service. */
  device?: string
  action?: OfflineAction
  /** How many pages are to be printed. */
  pages?: number
  now?: Date
  /** The `lastSeen` of the check before. A new file begins without one. */
  lastSeen?: number
}

const TYPE = 'license+jwt'
const LENGTH_MAX = 65_536
const SIGNATURE_BYTES = 64
const CLOCK_TOLERANCE_SECONDS = 300

/** No other time and no other key makes these files valid. One that has expired may not have: the clock may be wrong. */
const FINAL = new Set<LicenseFileRefusal>(['malformed', 'altered', 'wrong_device'])

/** Checks whether a license file allows an action on this device now. It needs no connection if it has the keys. */
export async function verifyLicenseFile(jws: string, options: LicenseFileOptions): Promise<LicenseFileDecision> {
  return decide<LicenseFile>(jws, TYPE, options)
}

/** Decides by a signed file of a type, which says at least what a license file says. */
export async function decide<File extends LicenseFile>(
  jws: string,
  type: string,
  options: LicenseFileOptions,
): Promise<Decision<File>> {
  const now = Math.floor(new Date(options.now ?? Date.now()).getTime() / 1000)
  const lastSeen = Math.max(0, ...[now, options.lastSeen ?? now].filter(Number.isFinite))
  const file = await opened<File>(jws, type, options)
  if (typeof file === 'string') return { allowed: false, reason: file, isFinal: FINAL.has(file), lastSeen }
  const reason = refusalOf(file, options, now)
  if (reason === undefined) return { allowed: true, license: file, lastSeen }
  const isDeleted = reason === 'clock_set_back' && file.license.delete_on_clock_rollback === 1
  return { allowed: false, reason, isFinal: isDeleted || FINAL.has(reason), lastSeen }
}

/** The checks in the order of the service: the end before the clock, the clock before the action. */
function refusalOf(file: LicenseFile, options: LicenseFileOptions, now: number): LicenseFileRefusal | undefined {
  const { license } = file
  const { action = 'play', pages = 0, device } = options
  const lastSeen = options.lastSeen ?? now
  if (file.device !== null && file.device !== device) return 'wrong_device'
  // Every comparison with NaN is false, so the checks below would find nothing wrong.
  if (!Number.isFinite(now) || !Number.isFinite(lastSeen)) return 'clock_invalid'
  if (now < file.nbf - CLOCK_TOLERANCE_SECONDS) return 'not_yet_valid'
  if (now >= file.exp) return 'expired'
  const mindsClock =
    license.drm === 1 && (license.delete_on_clock_rollback === 1 || license.disable_on_clock_rollback === 1)
  if (mindsClock && now < lastSeen - CLOCK_TOLERANCE_SECONDS) return 'clock_set_back'
  if (license.actions[action] !== true) return `${action}_not_allowed`
  if (action === 'print' && license.pages_per_print !== null && pages > license.pages_per_print) return 'too_many_pages'
  return undefined
}

/** The content of a file that the service has signed. */
async function opened<File extends object>(
  jws: string,
  type: string,
  options: LicenseFileOptions,
): Promise<File | LicenseFileRefusal> {
  const [head = '', body = '', signature = '', ...rest] = jws.length > LENGTH_MAX ? [] : jws.split('.')
  const header = parsed<{ alg?: string; typ?: string; kid?: string; crit?: unknown }>(head)
  const bytes = fromBase64Url(signature)
  // No other algorithm and no other kind of file that the service signs is accepted.
  if (header?.alg !== 'EdDSA' || header.typ !== type || header.crit !== undefined) return 'malformed'
  if (bytes?.length !== SIGNATURE_BYTES || rest.length > 0) return 'malformed'
  const key = await keyOf(header.kid, options)
  if (key === undefined) return 'unknown_key'
  if (!(await crypto.subtle.verify('Ed25519', key, bytes, utf8(`${head}.${body}`)))) return 'altered'
  return parsed<File>(body) ?? 'malformed'
}

async function keyOf(kid: string | undefined, { jwks, fetchJwks }: LicenseFileOptions): Promise<CryptoKey | undefined> {
  // Without a connection, the key stays unknown.
  const jwk = findKey(jwks, kid) ?? findKey(await fetchJwks?.().catch(() => undefined), kid)
  if (kid === undefined || jwk === undefined) return undefined
  const { kty = '', crv = '', x = '' } = jwk
  return crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify']).catch(() => undefined)
}

/** A set that an app has stored, or that came over the network, may be anything. */
function findKey(set: JsonWebKeySet | undefined, kid: string | undefined): JsonWebKeySet['keys'][number] | undefined {
  const keys: JsonWebKeySet['keys'] = Array.isArray(set?.keys) ? set.keys : []
  return keys.find((key) => key?.kid === kid && key?.kty === 'OKP' && key.crv === 'Ed25519' && key.x !== undefined)
}

/** A JSON object as tokens write it. */
export function parsed<Value extends object>(base64Url: string): Value | undefined {
  const bytes = fromBase64Url(base64Url)
  if (bytes === undefined) return undefined
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof value === 'object' && value !== null ? (value as Value) : undefined
  } catch {
    return undefined
  }
}

import { type Bytes, concatenated, fromBase64, hmacKey, isSameText, sha256, toHex, utf8 } from './encoding.ts'
import type { Topics } from './topics.gen.ts'

export type Topic = keyof Topics

/** A change, by topic: `event.scope` tells which `event.data` it has. */
export type WebhookEvent = {
  [Name in Topic]: { company_id: number; producer: string; scope: Name; data: Topics[Name]; hash: string }
}[Topic]

/** A customer has changed the email address or the password on the platform. Sent to the data change sync URL. */
export type DataChange = {
  customer_token: string
  email: string
  /** The same as `email` if only the password has changed. */
  new_email: string
  password_changed: boolean
  changed_at: string
  hash: string
}

export type VerificationFailure =
  | 'header_missing'
  | 'timestamp_invalid'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_differs'
  | 'not_json'
  | 'hash_differs'

const MESSAGES: Record<VerificationFailure, string> = {
  header_missing: 'The request lacks webhook-id, webhook-timestamp or webhook-signature.',
  timestamp_invalid: 'The webhook-timestamp is not a number of seconds.',
  timestamp_too_old: 'The request was signed too long ago.',
  timestamp_too_new: 'The request was signed in the future: compare the clocks.',
  signature_differs:
    'The signature is not of this body and secret. Pass the body as it came, not parsed and printed again.',
  not_json: 'The body is not a JSON object.',
  hash_differs: 'The hash in the body is not of this body and secret.',
}

/** The request does not come from the service, or it was changed or repeated on the way. Answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: VerificationFailure

  constructor(reason: VerificationFailure) {
    super(MESSAGES[reason])
    this.reason = reason
  }
}

export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

export type VerifyOptions = {
  /** How far the time of the signature may be away. */
  toleranceSeconds?: number
  now?: Date
}

/**
 * Returns the event of a request to a webhook, if the service has sent it: checks the Standard Webhooks headers and the
 * hash in the body. The body must be the bytes or the text that came, not parsed and printed again.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  return (await verified(body, headers, secret, options)) as WebhookEvent
}

/** The same for a request to the data change sync URL. */
export async function verifyDataChange(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyOptions = {},
): Promise<DataChange> {
  return (await verified(body, headers, secret, options)) as DataChange
}

async function verified(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyOptions,
): Promise<object> {
  const [id, timestamp, list] = ['id', 'timestamp', 'signature'].map((name) => headerOf(headers, `webhook-${name}`))
  if (!id || !timestamp || !list) throw new WebhookVerificationError('header_missing')
  checkTimestamp(timestamp, options)
  const bytes = typeof body === 'string' ? utf8(body) : body
  const signatures = list.split(' ').filter((one) => one.startsWith('v1,'))
  const signed = concatenated(utf8(`${id}.${timestamp}.`), bytes)
  if (!(await isSigned(signed, signatures, secret))) throw new WebhookVerificationError('signature_differs')
  const payload = parsedObject(new TextDecoder().decode(bytes))
  // While a secret is rotated there is a signature for the new and one for the old secret, but only one hash: the new.
  const isRotating = signatures.length > 1
  if (!isRotating && !(await hasHash(payload, secret))) throw new WebhookVerificationError('hash_differs')
  return payload
}

function headerOf(headers: WebhookHeaders, wanted: string): string | undefined {
  if (headers instanceof Headers) return headers.get(wanted) ?? undefined
  const value = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1]
  return typeof value === 'object' ? value[0] : value
}

function checkTimestamp(text: string, { toleranceSeconds = 300, now = new Date() }: VerifyOptions): void {
  if (!/^\d{1,12}$/.test(text)) throw new WebhookVerificationError('timestamp_invalid')
  const age = Math.floor(now.getTime() / 1000) - Number(text)
  if (age > toleranceSeconds) throw new WebhookVerificationError('timestamp_too_old')
  if (age < -toleranceSeconds) throw new WebhookVerificationError('timestamp_too_new')
}

async function isSigned(signed: Bytes, signatures: string[], secret: string): Promise<boolean> {
  const key = await hmacKey(utf8(secret), 'verify')
  for (const one of signatures) {
    const signature = fromBase64(one.slice('v1,'.length))
    // WebCrypto compares in constant time.
    if (signature !== undefined && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true
  }
  return false
}

function parsedObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {}
  throw new WebhookVerificationError('not_json')
}

async function hasHash({ hash, ...rest }: Record<string, unknown>, secret: string): Promise<boolean> {
  return isSameText(String(hash), toHex(await sha256(utf8(secret + pairsOf(rest)))))
}

/** Keys and values from beginning to end, with nothing between. An object stands for its own pairs. */
function pairsOf(fields: object): string {
  return Object.entries(fields)
    .map(([key, value]) => (typeof value === 'object' && value !== null ? pairsOf(value) : `${key}${value}`))
    .join('')
}

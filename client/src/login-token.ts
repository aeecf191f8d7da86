import { type Bytes, concatenated, hmacKey, randomBytes, sha256, toBase64Url, utf8 } from './encoding.ts'

export type LoginAddress = Partial<{
  address1: string
  city: string
  country: string
  country_code: string
  first_name: string
  last_name: string
  phone: string
  province: string
  province_code: string
  zip: string
  default: boolean
}>

/** Who signs in. An account that does not exist yet is created. */
export type LoginClaims = ({ email: string; password: string } | { customer_token: string }) & {
  first_name?: string
  last_name?: string
  identifier?: string
  /** The address of the customer's browser. With it, nobody else can use the link. */
  remote_ip?: string
  /** A page of the shop. Without it, the customer comes to the player. */
  return_to?: string
  addresses?: LoginAddress[]
  /** ISO 8601. The link is good for 15 minutes after it. Without it, now counts. */
  created_at?: string
}

/**
 * A token with which a customer of your site is signed in to the shop, once: send the browser to
 * `/api/customers/login/{theme setting}/{token}`. The secret is the company's; it must never reach a browser.
 */
export function createLoginToken(secret: string, claims: LoginClaims): Promise<string> {
  const created_at = `${new Date().toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length)}+00:00`
  return sealLoginToken(secret, JSON.stringify({ created_at, ...claims }), randomBytes(16))
}

/** AES-128-CBC, then HMAC-SHA-256 over IV and ciphertext, with the two halves of the secret's SHA-256 as keys. */
export async function sealLoginToken(secret: string, json: string, iv: Bytes): Promise<string> {
  const keys = await sha256(utf8(secret))
  const encryptionKey = await crypto.subtle.importKey('raw', keys.slice(0, 16), 'AES-CBC', false, ['encrypt'])
  const ciphertext = await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, encryptionKey, utf8(json))
  const sealed = concatenated(iv, new Uint8Array(ciphertext))
  const signature = await crypto.subtle.sign('HMAC', await hmacKey(keys.slice(16), 'sign'), sealed)
  return toBase64Url(concatenated(sealed, new Uint8Array(signature)))
}

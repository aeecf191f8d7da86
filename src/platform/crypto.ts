import { argon2, hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const argon2Async = promisify(argon2)

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const ARGON2 = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

/** An unguessable text of `A-Z a-z 0-9 - _`. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url')
}

/** How the interface names customers and users: so many capital letters. */
export function randomCapitals(length: number): string {
  return Array.from({ length }, () => String.fromCharCode(65 + randomInt(26))).join('')
}

/** What is stored of a token: random enough by itself to need no salt. */
export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** An argon2id hash in the PHC text form, so that its parameters can grow later. Computed off the event loop. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await argon2Async('argon2id', { message: password, nonce, ...ARGON2 })
  const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${ARGON2.memory},t=${ARGON2.passes},p=${ARGON2.parallelism}$${base64(nonce)}$${base64(tag)}`
}

export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

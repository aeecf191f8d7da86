import { argon2, hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createSemaphore } from '../processes/semaphore.ts'

const argon2Async = promisify(argon2)

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const ARGON2 = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

/** An unguessable text of `A-Z a-z 0-9 - _`. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url')
}

/** Random capital letters, the form of the tokens that name people in the interface. */
export function randomCapitals(length: number): string {
  return Array.from({ length }, () => String.fromCharCode(65 + randomInt(26))).join('')
}

/** An unguessable whole number below a limit. */
export function randomBelow(limit: number): number {
  return randomInt(limit)
}

/** The stored hash of a token, which is random enough to need no salt. */
export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/**
 * Each takes a thread and 19 MiB for a while: two at once leave threads for files and DNS, even while passwords are
 * being guessed.
 */
const hashing = createSemaphore(2, 200)

type Cost = { memory: number; passes: number; parallelism: number; tagLength: number }

function argon2id(password: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
  return hashing(() => argon2Async('argon2id', { message: password, nonce, ...cost }))
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

/** An argon2id hash in the PHC text form, so that its parameters can grow later. Computed off the event loop. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await argon2id(password, nonce, ARGON2)
  return `$argon2id$v=19$m=${ARGON2.memory},t=${ARGON2.passes},p=${ARGON2.parallelism}$${base64(nonce)}$${base64(tag)}`
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

/** Compared with when there is no user, so that the check takes as long as for a real one. */
const NOBODY = `$argon2id$v=19$m=${ARGON2.memory},t=${ARGON2.passes},p=${ARGON2.parallelism}$${base64(Buffer.alloc(16))}$${base64(Buffer.alloc(32))}`

/** Is it the password behind this hash? Without a hash it never is, and takes as long to say so. */
export async function verifyPassword(password: string, phc: string | null | undefined): Promise<boolean> {
  return (await tryPassword(password, phc)).isRight
}

/**
 * verifyPassword that also returns the hash of what was tried, made with the same salt and cost: it recognises the same
 * wrong password again, and is as slow to guess as the right one.
 */
export async function tryPassword(
  password: string,
  phc: string | null | undefined,
): Promise<{ isRight: boolean; tried: Buffer }> {
  const [, memory, passes, parallelism, nonce = '', tag = ''] = PHC.exec(phc ?? NOBODY) ?? []
  if (memory === undefined) throw new Error('a stored password hash is not in the PHC form')
  const expected = Buffer.from(tag, 'base64')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const found = await argon2id(password, Buffer.from(nonce, 'base64'), { ...cost, tagLength: expected.length })
  return { isRight: sameBytes(found, expected) && typeof phc === 'string', tried: found }
}

export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

import crypto, { argon2Sync, randomBytes } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

/** The lowest cost that argon2 accepts. */
const CHEAP = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 } as const

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** A hash that is cheap to check: a check costs what the stored hash says, whatever the service uses for new ones. */
export function cheapHash(password: string): string {
  const nonce = randomBytes(16)
  const tag = argon2Sync('argon2id', { message: password, nonce, ...CHEAP })
  return `$argon2id$v=19$m=${CHEAP.memory},t=${CHEAP.passes},p=${CHEAP.parallelism}$${base64(nonce)}$${base64(tag)}`
}

/** The cost that the service uses for new hashes. */
const OF_SERVICE = { memory: 19_456, passes: 2, parallelism: 1 }

/** `lasting`: a hash takes as long as a real one, and hardly any processor time. */
export type Hashing = 'real' | 'cheap' | 'lasting'

const REAL_MS = 50

let mode: Hashing = 'real'

/** Says how hashes of the service's own cost are computed. */
export function hashWith(value: Hashing): void {
  mode = value
}

const { argon2 } = crypto

// Tests make thousands of accounts, and real hashes took a tenth of the time of all tests. This works in processes that
// load this module before the service, as the workers do. A hash still says that it has the service's cost, so only the
// process that made it can check it.
crypto.argon2 = (algorithm, parameters, callback) => {
  const { memory, passes, parallelism } = parameters
  const isOfService =
    memory === OF_SERVICE.memory && passes === OF_SERVICE.passes && parallelism === OF_SERVICE.parallelism
  const cost = mode !== 'real' && isOfService ? { memory: CHEAP.memory, passes: CHEAP.passes } : {}
  const waitMs = mode === 'lasting' && isOfService ? REAL_MS : 0
  for (const watcher of watchers) watcher.begin()
  argon2(algorithm, { ...parameters, ...cost }, async (error, key) => {
    if (waitMs > 0) await sleep(waitMs)
    for (const watcher of watchers) watcher.end()
    callback(error, key)
  })
}
syncBuiltinESMExports()

const watchers = new Set<{ begin(): void; end(): void }>()

/**
 * Watches how this process hashes passwords: each takes a thread and memory for a while, and nobody may make it do so at
 * will.
 */
export function watchHashing(): { count(): number; mostAtOnce(): number } {
  let count = 0
  let most = 0
  let underWay = 0
  const watcher = {
    begin() {
      count += 1
      underWay += 1
      most = Math.max(most, underWay)
    },
    end() {
      underWay -= 1
    },
  }
  watchers.add(watcher)
  after(() => void watchers.delete(watcher))
  return { count: () => count, mostAtOnce: () => most }
}

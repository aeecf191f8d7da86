import { createHook } from 'node:async_hooks'
import crypto, { argon2Sync, randomBytes } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { after } from 'node:test'

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

let isCheap = false

/** Says whether hashes of the service's own cost are computed at the lowest cost instead. */
export function hashCheaply(value: boolean): void {
  isCheap = value
}

const { argon2 } = crypto

// Tests make thousands of accounts, and real hashes took a tenth of the time of all tests. This works in processes that
// load this module before the service, as the workers do. A hash still says that it has the service's cost, so only the
// process that made it can check it.
crypto.argon2 = (algorithm, parameters, callback) => {
  const { memory, passes, parallelism } = parameters
  const isOfService =
    memory === OF_SERVICE.memory && passes === OF_SERVICE.passes && parallelism === OF_SERVICE.parallelism
  const cost = isCheap && isOfService ? { memory: CHEAP.memory, passes: CHEAP.passes } : {}
  argon2(algorithm, { ...parameters, ...cost }, callback)
}
syncBuiltinESMExports()

/**
 * Watches how this process hashes passwords: each takes a thread and memory for a while, and nobody may make it do so at
 * will.
 */
export function watchHashing(): { count(): number; mostAtOnce(): number } {
  let count = 0
  let most = 0
  const underWay = new Set<number>()
  const hook = createHook({
    init(id, type) {
      if (type !== 'ARGON2REQUEST') return
      count += 1
      underWay.add(id)
      most = Math.max(most, underWay.size)
    },
    before(id) {
      underWay.delete(id)
    },
  }).enable()
  after(() => hook.disable())
  return { count: () => count, mostAtOnce: () => most }
}

import { createHook } from 'node:async_hooks'
import { argon2Sync, randomBytes } from 'node:crypto'
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

import { createHook } from 'node:async_hooks'
import { after } from 'node:test'

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

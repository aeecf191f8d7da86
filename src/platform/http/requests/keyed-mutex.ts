import { setTimeout as sleep } from 'node:timers/promises'
import type { Problem } from '../../errors/problem.ts'
import { idempotencyKeyInUse } from '../problems.ts'

const WAIT_MS = 10_000

/** Runs a task while no other task with the same key runs. */
export type KeyedMutex = <Result>(key: string, task: () => Promise<Result>) => Promise<Result>

/**
 * Lets requests with one key run one after the other, before they take a connection: waiting requests would otherwise
 * keep connections that other requests need. `tooLong` is the problem of one that has waited for too long.
 */
export function createKeyedMutex(waitMs = WAIT_MS, tooLong: () => Problem = idempotencyKeyInUse): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()
  return async (key, task) => {
    const earlier = last.get(key)
    const finished = Promise.withResolvers<void>()
    const tail = Promise.allSettled([earlier, finished.promise])
    last.set(key, tail)
    try {
      if (earlier !== undefined) await within(waitMs, earlier, tooLong)
      return await task()
    } finally {
      finished.resolve()
      if (last.get(key) === tail) last.delete(key)
    }
  }
}

async function within(waitMs: number, earlier: Promise<unknown>, tooLong: () => Problem): Promise<void> {
  const patience = new AbortController()
  const end = sleep(waitMs, 'too long', { signal: patience.signal }).catch(() => undefined)
  const first = await Promise.race([earlier, end])
  patience.abort()
  if (first === 'too long') throw tooLong()
}

import { serviceBusy } from '../errors/errors.ts'

/** Runs a task as soon as there is room for it. A task that still waits when the signal is aborted never runs. */
export type Semaphore = <Result>(task: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>

/**
 * Lets at most `runningMax` tasks run at once; the others wait, first come, first served. A task that finds `waitingMax`
 * others in the queue is refused.
 */
export function createSemaphore(runningMax: number, waitingMax = Number.POSITIVE_INFINITY): Semaphore {
  const waiting = new Set<() => void>()
  let running = 0

  function release(): void {
    const [next] = waiting
    // The place goes straight to the next task, so that one that comes just now cannot overtake it.
    if (next === undefined) running -= 1
    else next()
  }

  function wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(start)
        reject(signal?.reason)
      }
      const start = () => {
        waiting.delete(start)
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      waiting.add(start)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  return async (task, signal) => {
    signal?.throwIfAborted()
    if (running < runningMax) running += 1
    else if (waiting.size >= waitingMax) throw serviceBusy()
    else await wait(signal)
    try {
      return await task()
    } finally {
      release()
    }
  }
}

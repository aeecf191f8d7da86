import { serviceBusy } from '../errors/errors.ts'

/** Runs a task as soon as there is room for it. */
export type Semaphore = <Result>(task: () => Promise<Result>) => Promise<Result>

/**
 * Lets at most `runningMax` tasks run at once; the others wait, first come, first served. A task that finds `waitingMax`
 * others in the queue is refused.
 */
export function createSemaphore(runningMax: number, waitingMax = Number.POSITIVE_INFINITY): Semaphore {
  const waiting: (() => void)[] = []
  let running = 0

  function release(): void {
    const next = waiting.shift()
    // The place goes straight to the next task, so that one that comes just now cannot overtake it.
    if (next === undefined) running -= 1
    else next()
  }

  return async (task) => {
    if (running < runningMax) running += 1
    else if (waiting.length >= waitingMax) throw serviceBusy()
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      release()
    }
  }
}

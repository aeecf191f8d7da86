import { unavailable } from './problem.ts'

/**
 * Makes a gate through which at most so many works go at once; the others wait, first come, first served. Who would be one
 * too many in the queue is sent away.
 */
export function createGate(
  atOnceMax: number,
  waitingMax = Number.POSITIVE_INFINITY,
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let inside = 0

  function leave(): void {
    const next = waiting.shift()
    // A place goes straight to the next in line, so that nobody who comes just now can slip in.
    if (next === undefined) inside -= 1
    else next()
  }

  return async (work) => {
    if (inside < atOnceMax) inside += 1
    else if (waiting.length >= waitingMax)
      throw unavailable('There is too much to do right now: try again in a moment.')
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

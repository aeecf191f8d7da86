/** Makes a gate through which at most so many works go at once; the others wait, first come, first served. */
export function createGate(atOnceMax: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
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
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

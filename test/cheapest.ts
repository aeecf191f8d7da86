const TRIES = 5

/**
 * The processor time of work in milliseconds, at its cheapest: other threads of the process and a busy machine add to some of
 * the tries. It ends with the first try below the limit.
 */
export async function cheapestMs(limitMs: number, work: () => Promise<unknown>): Promise<number> {
  let cheapest = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && cheapest >= limitMs; tries += 1) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    cheapest = Math.min(cheapest, (user + system) / 1000)
  }
  return cheapest
}

/** Waits between tries; after the last one a job is given up. */
export const RETRY_SECONDS = [10, 60, 300, 1800] as const

export const TRIES_MAX = RETRY_SECONDS.length + 1

/** When a job is due again after this many failed attempts; undefined: it is given up. */
export function retryAt(attempts: number, now: Date): Date | undefined {
  const wait = RETRY_SECONDS[attempts - 1]
  return wait === undefined ? undefined : new Date(now.getTime() + wait * 1000)
}

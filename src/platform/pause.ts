import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until the time is up or the signal is given; whoever pauses looks at the signal afterwards. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // The only error that it can have says that the signal was given.
  await sleep(ms, undefined, { signal }).catch(() => {})
}

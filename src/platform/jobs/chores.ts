import { pause } from '../pause.ts'

/**
 * Work that recurs by itself, such as deleting what has expired. Every worker process does it, so it must do no harm when
 * two of them do it at once.
 */
export type Chore = {
  everySeconds: number
  firstAfterSeconds?: number
  run: () => Promise<void>
  /** Does so much wait that reads become slow? Then a service without a worker does it too. */
  isBehind?: () => Promise<boolean>
}

/** Does a chore again and again until the signal is given; `run` must not reject. */
export async function repeatChore(
  { everySeconds, firstAfterSeconds = 0, run }: Chore,
  signal: AbortSignal,
): Promise<void> {
  if (firstAfterSeconds > 0) await pause(firstAfterSeconds * 1000, signal)
  while (!signal.aborted) {
    await run()
    await pause(everySeconds * 1000, signal)
  }
}

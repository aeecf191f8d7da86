import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type MachineClock, nowInSeconds } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { uploadBusy, uploadNotFound } from '../errors.ts'
import { renewLease, returnLease, takeLease } from './commands.ts'

const RENEW_MS = 5000
const RETRY_MS = 200
/** Longer than a lease: the process that has it may have died. */
const WAIT_MS = 30_000

export type Change = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>

export type LeaseOptions = { change: Change; clock: MachineClock }

/** The one request that writes to an upload. */
export type HeldLease = { release(): Promise<void> }

/** Asks the holders in this process, by upload, to end early; others see it when they renew their lease. */
const holders = new Map<string, () => void>()

/**
 * Waits until no other request, in any process, writes to an upload. A client that lost its connection asks again while
 * the service still waits for bytes on the old one: `onWanted` tells the older request to end.
 */
export async function holdUpload(
  { change, clock }: LeaseOptions,
  uploadId: string,
  { onWanted, signal }: { onWanted: () => void; signal?: AbortSignal },
): Promise<HeldLease> {
  const lease = randomUUID()
  const deadline = performance.now() + WAIT_MS
  for (;;) {
    const result = await change((tx) => takeLease(tx, uploadId, lease))
    if (result === 'taken') break
    if (result === 'gone') throw uploadNotFound()
    if (signal?.aborted === true || performance.now() > deadline) throw uploadBusy()
    holders.get(uploadId)?.()
    await sleep(RETRY_MS)
  }
  holders.set(uploadId, onWanted)
  const renewal = setInterval(() => {
    change((tx) => renewLease(tx, uploadId, lease, nowInSeconds(clock))).then(
      (isWanted) => isWanted !== false && onWanted(),
      // The database is away for a moment; the next renewal tries again.
      () => {},
    )
  }, RENEW_MS).unref()
  return {
    async release() {
      clearInterval(renewal)
      if (holders.get(uploadId) === onWanted) holders.delete(uploadId)
      await change((tx) => returnLease(tx, uploadId, lease, nowInSeconds(clock)))
    },
  }
}

/** Runs a task while no other request writes to the upload. */
export async function whileHeld<Result>(
  options: LeaseOptions,
  uploadId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const lease = await holdUpload(options, uploadId, { onWanted: () => {} })
  try {
    return await work()
  } finally {
    await lease.release()
  }
}

import type { MachineClock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import type { Job } from './kinds.ts'
import { LEASE_SECONDS, renewLease } from './queue.ts'

const RENEW_MS = (LEASE_SECONDS * 1000) / 4
/** Work that stands still is somebody else's after this. */
const RENEWALS_MAX = 60

/** Keeps the claim of a job while its work goes on, for work that may take longer than one lease. */
export async function keepLease<Result>(
  { db, clock }: { db: Db; clock: MachineClock },
  job: Job,
  work: () => Promise<Result>,
): Promise<Result> {
  let renewals = 0
  const renewal = setInterval(() => {
    renewals += 1
    if (renewals > RENEWALS_MAX) return clearInterval(renewal)
    // What happens without a lease does no harm, so a renewal that fails ends nothing.
    void renewLease(db, job, clock.now()).catch(() => undefined)
  }, RENEW_MS)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
  }
}

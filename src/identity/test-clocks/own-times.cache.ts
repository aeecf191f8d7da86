import type { OwnTimes } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import type { Notices } from '#platform/db/notices/notices.ts'
import { toError } from '#platform/errors/to-error.ts'
import type { Log } from '#platform/log/log.ts'
import { readTestClocks } from './queries.ts'
import { type TestClock, timeAt } from './rules.ts'

/** The channel on which processes hear that the clock of a sandbox was made or moved. */
export const TEST_CLOCKS_CHANNEL = 'licet_test_clocks'

const AGAIN_MS = 1000

/** The clocks of sandboxes, as this process knows them. There are few, and the time is asked for all the time. */
export type SandboxTimes = OwnTimes & {
  /** Reads them, before the first request. */
  load(): Promise<void>
  /** Who moves a clock knows where it stands without reading it. */
  learn(companyId: number, clock: TestClock): void
}

export function createSandboxTimes(db: Db, notices: Notices, log: Log): SandboxTimes {
  let clocks = new Map<number, TestClock>()
  let moving: number[] = []
  /** What was learnt while the table was read is newer than what was read. */
  let changes = 0
  let isReading = false
  let isStale = false

  function keep(known: Map<number, TestClock>): void {
    clocks = known
    moving = [...known].filter(([, { stands_at }]) => stands_at !== null).map(([id]) => id)
  }

  async function read(): Promise<void> {
    do {
      isStale = false
      const before = changes
      const rows = await readTestClocks(db)
      if (changes === before) keep(new Map(rows.map(({ company_id, ...clock }) => [company_id, clock])))
      else isStale = true
    } while (isStale)
  }

  function refresh(): void {
    isStale = true
    if (isReading) return
    isReading = true
    read()
      .catch((error) => {
        log.warn({ err: toError(error) }, 'the clocks of sandboxes could not be read')
        setTimeout(refresh, AGAIN_MS).unref()
      })
      .finally(() => {
        isReading = false
      })
  }

  notices.on(TEST_CLOCKS_CHANNEL, refresh)

  return {
    find(companyId, machine) {
      const clock = clocks.get(companyId)
      return clock === undefined ? undefined : timeAt(clock, machine)
    },
    moving: () => moving,
    load: read,
    learn(companyId, clock) {
      changes += 1
      keep(new Map(clocks).set(companyId, clock))
    },
  }
}

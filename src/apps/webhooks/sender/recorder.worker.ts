import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#platform/clock.ts'
import { type Db, isDatabaseAway } from '#platform/db/database.ts'
import { type Release, type Result, recordSuccesses } from './results.commands.ts'

/** Writes successes down together: one transaction for all that ended while the one before was written. */
export type Recorder = {
  delivered(result: Result): Promise<void>
  /** Returns whether the receiver has more to get at once. */
  released(release: Release): Promise<boolean>
}

const TRIES_MAX = 3
/** As long as the lease is sure to hold: a round is over after 10 seconds, and its last request 25 seconds later. */
const TRIES_MAX_WHEN_AWAY = 20
const AGAIN_MS = 1000

type Entry = {
  result?: Result
  release?: Release
  resolve: (isDueAgain: boolean) => void
  reject: (error: unknown) => void
}

/**
 * Entries are written in the order in which they came, so that after a crash the deliveries of a resource that are sent
 * again are the last ones.
 */
export function createRecorder(db: Db, clock: Clock): Recorder {
  let entries: Entry[] = []
  let isWriting = false

  async function write(): Promise<void> {
    isWriting = true
    while (entries.length > 0) {
      const taken = entries
      entries = []
      const results = taken.flatMap(({ result }) => result ?? [])
      const releases = taken.flatMap(({ release }) => release ?? [])
      await persist(() => recordSuccesses(db, results, releases, clock.now())).then(
        (due) => {
          for (const { release, resolve } of taken) resolve(release !== undefined && due.has(release.webhook.id))
        },
        (error) => {
          for (const { reject } of taken) reject(error)
        },
      )
    }
    isWriting = false
  }

  function add(entry: Pick<Entry, 'result' | 'release'>): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    entries.push({ ...entry, resolve, reject })
    // What ends in the same tick is written together.
    if (!isWriting) {
      isWriting = true
      setImmediate(() => void write())
    }
    return promise
  }

  return {
    delivered: async (result) => void (await add({ result })),
    released: (release) => add({ release }),
  }
}

/** A result that is lost means that the event is sent twice, so a database that is briefly away is waited for. */
async function persist<Written>(work: () => Promise<Written>): Promise<Written> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === (isDatabaseAway(error) ? TRIES_MAX_WHEN_AWAY : TRIES_MAX)) throw error
      await sleep(AGAIN_MS)
    }
  }
}

import { DISPATCHED_CHANNEL } from '#history/events/dispatch.commands.ts'
import { readLastPositions } from '#history/events/queries.ts'
import { REVOKED_CHANNEL } from '#identity/grants/commands.ts'
import type { Db } from '#platform/db/database.ts'
import type { Notices } from '#platform/db/notices/notices.ts'

/** Streams that an app may have open for one company, in one process. */
export const STREAMS_MAX = 20

const POLL_MS = 1000
/** New events are looked for at most this often, however many are dispatched. */
const PAUSE_MS = 50

/** Wakes the streams of this process: one look at the log serves all of them. */
export type Listeners = {
  /** Takes a place for a stream, and returns undefined if the app has as many as it may have for the company. */
  enter(companyId: number, appId: number): Listener | undefined
  /** Ends all streams. */
  stop(): void
}

export type Listener = {
  /** Aborted when the service stops, and when the stream is left. */
  signal: AbortSignal
  /** Changes with every new event of the company. Read it before the log, so that `wait` knows what was seen. */
  seen(): number
  /** Waits for an event that was not seen yet, a revocation or the end; false if none came within the time. */
  wait(seen: number, timeoutMs: number): Promise<boolean>
  leave(): void
}

type Open = { companyId: number; key: string; stopping: AbortController; wake: () => void }

export function createListeners({ db, notices }: { db: Db; notices: Notices }): Listeners {
  const open = new Set<Open>()
  const positions = new Map<number, number>()
  let poll: NodeJS.Timeout | undefined
  let isLooking = false
  let isStopped = false

  async function look(): Promise<void> {
    if (isLooking || open.size === 0) return
    isLooking = true
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    isLooking = false
    const companies = [...new Set([...open].map(({ companyId }) => companyId))]
    // If the database is away, the next poll looks again.
    const found = await readLastPositions(db, companies).catch(() => new Map<number, number>())
    for (const { companyId, wake } of open) {
      if ((found.get(companyId) ?? 0) > (positions.get(companyId) ?? 0)) wake()
    }
    for (const [companyId, position] of found) positions.set(companyId, position)
  }

  notices.on(DISPATCHED_CHANNEL, () => void look())
  notices.on(REVOKED_CHANNEL, () => {
    for (const { wake } of open) wake()
  })

  function leave(stream: Open): void {
    open.delete(stream)
    stream.stopping.abort()
    stream.wake()
    if (open.size > 0) return
    clearInterval(poll)
    poll = undefined
    positions.clear()
  }

  return {
    enter(companyId, appId) {
      const key = `${appId} ${companyId}`
      if (isStopped || [...open].filter((other) => other.key === key).length >= STREAMS_MAX) return undefined
      const stopping = new AbortController()
      const { signal } = stopping
      const stream: Open = { companyId, key, stopping, wake: () => {} }
      open.add(stream)
      poll ??= setInterval(() => void look(), POLL_MS).unref()
      const seen = () => positions.get(companyId) ?? 0
      return {
        signal,
        seen,
        wait(before, timeoutMs) {
          if (signal.aborted || seen() > before) return Promise.resolve(true)
          return new Promise((resolve) => {
            const timer = setTimeout(resolve, timeoutMs, false)
            stream.wake = () => {
              clearTimeout(timer)
              resolve(true)
            }
          })
        },
        leave: () => leave(stream),
      }
    },
    stop() {
      isStopped = true
      for (const stream of open) leave(stream)
    },
  }
}

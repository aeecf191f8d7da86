import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { type Dispatched, dispatchEvents } from './dispatch.commands.ts'
import { singly } from './singly.worker.ts'

/** Waits, or until the signal is given. Tests bring one that they can end. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>

const PAUSE_PER_EVENT_MS = 25
export const PAUSE_MAX_MS = 250

/**
 * How long to wait after events were dispatched. A dispatch costs a transaction and a lock, however few events it takes. Up
 * to 40 events a second, each finds the pause over and is dispatched at once. Above that a dispatch finds more than one,
 * the pauses grow to their maximum, and four dispatches a second take everything.
 */
export function pauseMsAfter(events: number): number {
  return Math.min(PAUSE_MAX_MS, PAUSE_PER_EVENT_MS * Math.max(1, events))
}

export type Dispatcher = {
  /** Dispatches all new events, and pauses. Who asks during the pause is served after it. */
  wake(): Promise<void>
  /** Dispatches all new events without a pause; returns how many there were. */
  dispatchAll(): Promise<number>
}

export type DispatcherOptions = {
  db: Db
  clock: Clock
  signal: AbortSignal
  pause: Pause
  /** Is told of every transaction that has made deliveries. */
  onDeliveries: (dispatched: Dispatched) => void
}

export function createDispatcher({ db, clock, signal, pause, onDeliveries }: DispatcherOptions): Dispatcher {
  let lastCompany = 0

  async function dispatchAll(): Promise<number> {
    let events = 0
    for (let mayHaveMore = true; mayHaveMore && !signal.aborted; ) {
      const from = lastCompany
      const dispatched = await inTransaction(db, (tx) => dispatchEvents(tx, from, clock.now()))
      lastCompany = dispatched.lastCompany
      mayHaveMore = dispatched.mayHaveMore
      events += dispatched.events
      if (dispatched.deliveries > 0) onDeliveries(dispatched)
    }
    return events
  }

  const wake = singly(async () => {
    const events = await dispatchAll()
    if (!signal.aborted) await pause(pauseMsAfter(events), signal)
  })

  return { wake, dispatchAll }
}

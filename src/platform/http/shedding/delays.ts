import type { Queue } from '../../db/queues.ts'

/** How long something that comes now has to wait, as far as it is known at this moment. */
export type Delay = (nowMs: number) => number

/** A queue that is not empty may only be passing; one that was not empty for so many looks is standing. */
const LOOKS = 5

/**
 * How late the event loop is when it gets round to a timer. Everything else that it has to do is as late. The smallest of the
 * last few: one long computation, or a machine that stands still for a moment, is no queue.
 */
export function createLoopDelay(everyMs: number, startMs: number): Delay {
  const last: number[] = []
  let lookedAt = startMs
  return (nowMs) => {
    last.push(Math.max(0, nowMs - lookedAt - everyMs))
    lookedAt = nowMs
    if (last.length > LOOKS) last.shift()
    return last.length < LOOKS ? 0 : Math.min(...last)
  }
}

/**
 * How long the next piece of work waits in the least busy of some queues: as long as what stood there took to leave. Nothing
 * is sent to find out, so an idle service does not wake its database.
 */
export function createQueueDelay(queues: readonly Queue[]): Delay {
  const ofEach = queues.map(createDrainTime)
  return (nowMs) => Math.min(...ofEach.map((delay) => delay(nowMs)))
}

function createDrainTime(queue: Queue): Delay {
  /** The last that stood in the queue at some time, by its number. */
  let mark: number | undefined
  let markedAt = 0
  let tookMs = 0
  return (nowMs) => {
    const [entered, left] = [queue.entered(), queue.left()]
    if (left >= entered) {
      mark = undefined
      tookMs = 0
      return 0
    }
    // Those who give up waiting never come out.
    if (mark !== undefined && left >= Math.min(mark, entered)) {
      tookMs = nowMs - markedAt
      mark = undefined
    }
    if (mark === undefined) {
      mark = entered
      markedAt = nowMs
    }
    return Math.max(tookMs, nowMs - markedAt)
  }
}

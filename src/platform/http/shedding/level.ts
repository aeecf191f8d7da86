/** What is refused first, next and last when there is too much to do; `always` is answered whatever happens. */
export type Priority = 'low' | 'normal' | 'high' | 'always'

/** How far the refusals have gone before a priority is reached. */
const BEGINS: Readonly<Record<Exclude<Priority, 'always'>, number>> = { low: 0, normal: 1, high: 2 }
const ALL = 3

/** How long it takes from nothing refused to all of one priority, and back. */
const UP_MS = 2000
const DOWN_MS = 5000
/** A process that stood still knows nothing of the time in between. */
const STEP_MS_MAX = 500
/** Below this part of the delay at which it rises, the level falls. Between the two it stays. */
const CALM = 1 / 2

export type Level = {
  /** From 0, at which nothing is refused, to 3: of each priority the part by which the level is above its beginning. */
  now(): number
  /** Rises while work waits too long and falls while it does not. */
  adjust(delayMs: number, elapsedMs: number): void
  refuses(priority: Exclude<Priority, 'always'>): boolean
}

/** How much is refused. It moves in small steps, so that it finds the rate that can be served and does not swing. */
export function createLevel(delayMsMax: number): Level {
  /** In steps of a millisecond of rising, so that no error adds up. */
  let risenMs = 0
  const owed = { low: 0, normal: 0, high: 0 }
  const now = () => risenMs / UP_MS
  return {
    now,
    adjust(delayMs, elapsedMs) {
      const stepMs = Math.round(Math.min(elapsedMs, STEP_MS_MAX))
      if (delayMs >= delayMsMax) risenMs = Math.min(ALL * UP_MS, risenMs + stepMs)
      else if (delayMs < delayMsMax * CALM) risenMs = Math.max(0, risenMs - stepMs * (UP_MS / DOWN_MS))
    },
    refuses(priority) {
      const part = Math.min(1, now() - BEGINS[priority])
      if (part <= 0) return false
      // A third means every third request, and not one in three by chance.
      owed[priority] += part
      if (owed[priority] < 1) return false
      owed[priority] -= 1
      return true
    },
  }
}

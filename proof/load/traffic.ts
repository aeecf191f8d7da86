import { setTimeout as sleep } from 'node:timers/promises'
import type { Kind, Outcome, Requests } from './requests.ts'

export type Answered = Outcome & { kind: Kind; ms: number; atMs: number }

/** Requests that come when they come, whether or not those before them were answered. */
export type Traffic = {
  readonly answered: Answered[]
  readonly waiting: number
  /** Ends when all have been answered. */
  stop(): Promise<void>
}

const TURN_MS = 5
/** Beyond so many under way, the client is what is too slow; those that would come are left out and counted as failed. */
const WAITING_MAX = 3000

/** Sends so many requests a second. Each is timed from the moment in which it should have been sent. */
export function startTraffic(requests: Requests, perSecond: number, onlyKind?: Kind): Traffic {
  const answered: Answered[] = []
  const started = performance.now()
  const under = new Set<Promise<void>>()
  let [isOver, sent] = [false, 0]
  const sinceStart = () => performance.now() - started

  function leaveOut(): void {
    const kind = onlyKind ?? requests.choose()
    answered.push({ kind, status: undefined, reason: 'left out', ms: 0, atMs: sinceStart() })
  }

  function send(dueAt: number): void {
    const kind = onlyKind ?? requests.choose()
    const done = requests.send(kind).then(({ status, reason }) => {
      answered.push({ kind, status, reason, ms: performance.now() - dueAt, atMs: sinceStart() })
      under.delete(done)
    })
    under.add(done)
  }

  const sending = (async () => {
    while (!isOver) {
      const due = (sinceStart() / 1000) * perSecond
      for (; sent < due; sent += 1)
        if (under.size < WAITING_MAX) send(started + (sent / perSecond) * 1000)
        else leaveOut()
      await sleep(TURN_MS)
    }
  })()
  return {
    answered,
    get waiting() {
      return under.size
    },
    async stop() {
      isOver = true
      await sending
      await Promise.all(under)
    },
  }
}

export const isServed = ({ status }: Answered) => status !== undefined && status < 400
export const isShed = ({ status }: Answered) => status === 503 || status === 429
export const hasFailed = (answer: Answered) => !isServed(answer) && !isShed(answer)

/** The time that a share of the answers did not exceed. */
export function percentileOf(answers: readonly Answered[], share: number): number {
  const sorted = answers.map(({ ms }) => ms).toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

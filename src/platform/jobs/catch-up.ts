import { toError } from '../errors/to-error.ts'
import type { Log } from '../log/log.ts'
import { type Chore, repeatChore } from './chores.ts'
import type { Loop } from './loop.ts'

/** How often a service without a worker looks whether the workers keep up. */
const LOOK_SECONDS = 10

/**
 * What a service without a worker does itself: the chores whose backlog every read has to go through. As long as a worker
 * keeps up, it only looks.
 */
export function createCatchUp(chores: Record<string, Chore>, log: Log): Loop {
  const stopping = new AbortController()
  let finished: Promise<unknown> = Promise.resolve()

  async function runDue(): Promise<number> {
    let done = 0
    for (const [name, { run, isBehind }] of Object.entries(chores)) {
      try {
        if (isBehind === undefined || !(await isBehind())) continue
        log.info({ chore: name }, 'no worker keeps up, so the service catches up')
        await run()
        done += 1
      } catch (error) {
        log.warn({ err: toError(error), chore: name }, 'a chore failed and is tried again')
      }
    }
    return done
  }

  return {
    runDue,
    start() {
      finished = repeatChore({ everySeconds: LOOK_SECONDS, run: async () => void (await runDue()) }, stopping.signal)
    },
    async stop() {
      stopping.abort()
      await finished
    },
  }
}

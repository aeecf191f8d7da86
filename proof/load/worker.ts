import { type Killable, startFastWorker, startWorker } from '#test/crash/processes.ts'
import type { Scale } from '../findings.ts'

/** A minute of a lease or of the schedule of retries takes two seconds. */
const CLOCK_TIMES = 30

/** The worker as it is installed. In the short form its clock runs faster, so that nobody waits for what is tried again later. */
export function workerFor({ isShort }: Pick<Scale, 'isShort'>): (settings: NodeJS.ProcessEnv) => Killable {
  return isShort ? (settings) => startFastWorker(settings, Date.now(), CLOCK_TIMES) : startWorker
}

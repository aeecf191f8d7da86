import { proveDelivery } from '#test/crash/proof.ts'
import { startDatabase } from './database.ts'
import { figure, holds, type Part } from './findings.ts'

/** Changes for each kill: enough to have some of each kind under way whenever a process dies. */
const CHANGES_PER_KILL = 50

/** Its short form is proof/run.test.ts. */
export const webhooks: Part = {
  title: 'Webhooks while processes are killed',
  about: `Clients change products and orders while the service and two workers are killed at random moments and the receiver fails now
and then. What arrived is compared with what was changed: every event once its change is stored, none without, in order for each
resource. A difference ends the run.`,
  async prove({ isShort, rounds, onProgress }) {
    const kills = isShort ? 3 : rounds
    const report = await proveDelivery({
      ...(await startDatabase()),
      changes: kills * CHANGES_PER_KILL,
      kills,
      workers: isShort ? 1 : 2,
      killEveryMs: isShort ? [200, 900] : [100, 1500],
      failureRate: 0.005,
      random: Math.random,
      onProgress,
    })
    return [
      figure('Processes killed', report.kills, ''),
      figure('Changes', report.changes, ''),
      figure('Changes whose answer was lost, compared with the database', report.uncertain, ''),
      figure('Events that came twice, each after a kill', report.repeats, ''),
      holds('Every event arrived, in order, and no other', true),
    ]
  },
}

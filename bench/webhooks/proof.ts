import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { endAll } from '#test/crash/processes.ts'
import { type ProofReport, proveDelivery } from '#test/crash/proof.ts'
import { atCleanUp, makeDataFolder } from '../processes.ts'

/** The long form of test/start/crash.test.ts. */
export async function proveWebhooks(changes: number, kills: number): Promise<ProofReport> {
  const folder = await makeDataFolder()
  const server = await startEmbedded(folder)
  atCleanUp(() => server.stop())
  atCleanUp(endAll)
  const dataFolder = join(folder, 'service')
  await mkdir(dataFolder)
  return proveDelivery({
    databaseUrl: `postgres://${server.user}@localhost/${server.database}?host=${encodeURIComponent(server.host)}`,
    dataFolder,
    changes,
    kills,
    workers: 2,
    killEveryMs: [100, 1500],
    failureRate: 0.005,
    random: Math.random,
    onProgress: (text) => console.log(text),
  })
}

export function proofLine(report: ProofReport): string {
  const { changes, uncertain, uncertainMade, arrivals, repeats, kills, refusals, seconds } = report
  return [
    `${kills} processes were killed while ${changes} changes were made and ${refusals} refused.`,
    `${uncertain} answers were lost; ${uncertainMade} of these changes had been made.`,
    `Every event arrived, in order, and no other: ${arrivals} requests, ${repeats} repeats after a kill.`,
    `${Math.round(seconds)} s`,
  ].join('\n')
}

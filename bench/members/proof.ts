import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { endAll } from '#test/crash/processes.ts'
import { proveRenewals, type RenewalReport } from '#test/crash/renewals.ts'
import { atCleanUp, makeDataFolder } from '../processes.ts'

/** The long form of test/start/renewals.test.ts. */
export async function proveRenewing(kills: number): Promise<RenewalReport> {
  const folder = await makeDataFolder()
  const server = await startEmbedded(folder)
  atCleanUp(() => server.stop())
  atCleanUp(endAll)
  const dataFolder = join(folder, 'service')
  await mkdir(dataFolder)
  return proveRenewals({
    databaseUrl: `postgres://${server.user}@localhost/${server.database}?host=${encodeURIComponent(server.host)}`,
    dataFolder,
    kills,
    random: Math.random,
    onProgress: (text) => console.log(text),
  })
}

export function renewalsLine({ kills, renewed, charges, seconds }: RenewalReport): string {
  return `The worker was killed ${kills} times while it renewed ${renewed} subscriptions. The gateway has charged ${charges} times: each period once, with one order, one invoice and one event. ${Math.round(seconds)} s`
}

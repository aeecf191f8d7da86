import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { atCleanUp, makeDataFolder } from '#bench/processes.ts'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { endAll } from '#test/crash/processes.ts'

/** A PostgreSQL of its own and a data folder, for services that are started and killed; both are removed at the end. */
export async function startDatabase(): Promise<{ databaseUrl: string; dataFolder: string }> {
  const folder = await makeDataFolder()
  const server = await startEmbedded(folder)
  atCleanUp(() => server.stop())
  atCleanUp(endAll)
  const dataFolder = join(folder, 'service')
  await mkdir(dataFolder)
  const databaseUrl = `postgres://${server.user}@localhost/${server.database}?host=${encodeURIComponent(server.host)}`
  return { databaseUrl, dataFolder }
}

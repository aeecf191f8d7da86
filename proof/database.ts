import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { atCleanUp, makeDataFolder } from '#bench/processes.ts'
import { postmasterPid } from '#bench/services.ts'
import { type EmbeddedServer, startEmbedded } from '#platform/db/embedded/embedded.ts'
import { endAll } from '#test/crash/processes.ts'

/** A PostgreSQL of a proof, and what can be done to it. One that was killed is started again by itself. */
export type ProofDatabase = {
  databaseUrl: string
  dataFolder: string
  /** The process of the server; it is another one after each start. */
  pid(): Promise<number>
  stop(): Promise<void>
  start(): Promise<void>
}

type Folders = {
  /** Of PostgreSQL. Absent: a new one. */
  folder?: string
  /** Of the service. Absent: one inside that of PostgreSQL. */
  dataFolder?: string
}

/** A PostgreSQL of its own and a data folder, for services that are started and killed; both are removed at the end. */
export async function startDatabase(folders: Folders = {}): Promise<ProofDatabase> {
  const folder = folders.folder ?? (await makeDataFolder())
  let server: EmbeddedServer = await startEmbedded(folder)
  atCleanUp(() => server.stop())
  atCleanUp(endAll)
  const dataFolder = folders.dataFolder ?? join(folder, 'service')
  await mkdir(dataFolder, { recursive: true })
  const databaseUrl = `postgres://${server.user}@localhost/${server.database}?host=${encodeURIComponent(server.host)}`
  return {
    databaseUrl,
    dataFolder,
    pid: () => postmasterPid(folder),
    stop: () => server.stop(),
    async start() {
      server = await startEmbedded(folder)
    },
  }
}

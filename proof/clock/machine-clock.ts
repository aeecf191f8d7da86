import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDataFolder } from '#bench/processes.ts'

/** The clock of processes that were started with `settings`. */
export type SetClock = { settings: NodeJS.ProcessEnv; setAhead(ms: number): Promise<void> }

/** A clock that is right until it is set. */
export async function createSetClock(): Promise<SetClock> {
  const path = join(await makeDataFolder(), 'clock')
  async function setAhead(ms: number): Promise<void> {
    // A reader finds the old number or the new one.
    await writeFile(`${path}.new`, String(ms))
    await rename(`${path}.new`, path)
  }
  await setAhead(0)
  return { settings: { PROOF_CLOCK: path }, setAhead }
}

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Service } from '#test/harness.ts'
import { temporaryFolder } from './program.ts'
import { run } from './terminal.ts'

export type Outcome = {
  imported: boolean
  ids: Record<string, { created: number[]; changed: number[]; unchanged: number[] }>
  entries: { kind: string; where: string; name: string; action: string; id?: number; faults?: string[] }[]
  notes: string[]
  warnings: { where: string; field: string; reason: string; message: string }[]
}

/** Imports into the companies of a service. */
export function importerFor(service: Service) {
  const folder = temporaryFolder()
  const settings = async () => ({ PORT: '0', LICET_DATA: await folder, DATABASE_URL: service.database.url })
  const licet = async (...args: string[]) => run(args, await settings())

  async function save(name: string, content: string | Buffer): Promise<string> {
    const file = join(await folder, name)
    await writeFile(file, content)
    return file
  }

  /** Imports a content, and answers how many of each list were created, changed and left as they are. */
  async function load(company: number, name: string, content: string | Buffer, ...more: string[]) {
    const file = await save(name, content)
    const { code, out, err } = await licet('import', '--company', String(company), file, '--json', ...more)
    assert.equal(err, '')
    const outcome: Outcome = JSON.parse(out)
    const counts = Object.fromEntries(
      Object.entries(outcome.ids).map(([kind, { created, changed, unchanged }]) => [
        kind,
        [created.length, changed.length, unchanged.length],
      ]),
    )
    return { code, counts, ...outcome }
  }

  return { licet, save, load }
}

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Finding } from './findings.ts'

/** What came out of the last long run of a part. */
export type Result = {
  at: string
  commit: string
  machine: string
  seconds: number
  findings: Finding[]
}

const FOLDER = join(import.meta.dirname, 'results')

export async function keepResult(part: string, result: Result): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  await writeFile(join(FOLDER, `${part}.json`), `${JSON.stringify(result, null, 2)}\n`)
}

/** The results that are kept, by the name of their part. */
export async function readResults(): Promise<Map<string, Result>> {
  const names = (await readdir(FOLDER).catch(() => [])).filter((name) => name.endsWith('.json')).toSorted()
  const read = async (name: string): Promise<[string, Result]> => [
    name.slice(0, -'.json'.length),
    JSON.parse(await readFile(join(FOLDER, name), 'utf8')),
  ]
  return new Map(await Promise.all(names.map(read)))
}

import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import type { Erasure } from '#people/customers/erasures/commands.ts'
import { errorCode } from '#platform/errors/error-code.ts'
import { randomToken } from '#platform/identity/crypto.ts'
import type { ErasureList } from '#platform/resource.ts'

/** Its name beside backups, and in the data folder. */
export const ERASED = 'erased.jsonl'

const Line = Type.Object({
  company_id: Type.Integer({ minimum: 1 }),
  reference: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  erased_at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' }),
})
type Line = Static<typeof Line>

/** The list in a folder. Nobody else reads it, and it is never half written. */
export function listIn(folder: string): ErasureList {
  const file = join(folder, ERASED)
  return {
    name: file,
    read: () => readText(file),
    async write(text) {
      const draft = join(dirname(file), `.${ERASED}.${randomToken(6)}`)
      await writeFile(draft, text, { mode: 0o600, flush: true })
      await rename(draft, file)
    },
  }
}

/** The text of a list; empty if there is none. */
async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error) => {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  })
}

/** A file of the operator, which has to be there. */
export async function readOwnList(file: string): Promise<Erasure[]> {
  return parseErasures(await readFile(file, 'utf8'))
}

/** The erasures in a text with one on each line. A line that was damaged is left out: the others count all the same. */
export function parseErasures(text: string): Erasure[] {
  return text
    .split('\n')
    .map(parseJson)
    .filter((line): line is Line => Check(Line, line))
    .map((line) => ({ ...line, erased_at: new Date(line.erased_at) }))
}

const lineOf = ({ company_id, reference, erased_at }: Erasure) =>
  JSON.stringify({ company_id, reference, erased_at: erased_at.toISOString() })

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Adds erasures to a list, which keeps what the database has forgotten. */
export async function addErasures(list: ErasureList, erasures: readonly Erasure[]): Promise<void> {
  const before = parseErasures(await list.read())
  const known = new Set(before.map(lineOf))
  const added = erasures.filter((erasure) => !known.has(lineOf(erasure)))
  if (added.length === 0) return
  await list.write([...before, ...added].map((erasure) => `${lineOf(erasure)}\n`).join(''))
}

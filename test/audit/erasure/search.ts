import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { inflateRawSync, inflateSync } from 'node:zlib'
import { sql } from 'kysely'
import type { Service } from '../../harness.ts'

/** What is looked for: a name for each text that tells who somebody is. */
export type Needles = Readonly<Record<string, string>>

/** A place and what was found in it, such as `orders.email: email`. */
export type Finding = string

const COLUMN_TYPES = [
  'text',
  'character varying',
  'character',
  'json',
  'jsonb',
  'bytea',
  'ARRAY',
  'name',
  'inet',
  'xml',
]

type Column = { table: string; column: string }

/** Every column of every table that can hold a text, as the database has them. */
async function readColumns({ db }: Pick<Service, 'db'>): Promise<Column[]> {
  const { rows } = await sql<Column>`select c.table_name as table, c.column_name as column
    from information_schema.columns as c join information_schema.tables as t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = any(${COLUMN_TYPES}::text[])
    order by 1, 2`.execute(db)
  return rows
}

/** As it is, with accents as JSON escapes, in the hexadecimal digits of bytes, and in base64. */
function spellingsOf(text: string): string[] {
  const bytes = Buffer.from(text)
  return [text, bytes.toString('hex'), ...base64Of(bytes)].map((each) => each.toLowerCase())
}

/** The middle of what base64 makes of a text at each of three offsets. */
function base64Of(bytes: Buffer): string[] {
  return [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4),
  )
}

function namesIn(text: string, needles: Needles): string[] {
  const lower = text.toLowerCase()
  return Object.entries(needles)
    .filter(([, needle]) => spellingsOf(needle).some((spelling) => spelling.length > 5 && lower.includes(spelling)))
    .map(([name]) => name)
}

/** Where the database says who somebody is. */
export async function searchTables(
  service: Pick<Service, 'db'>,
  needles: Needles,
): Promise<{ columns: number; found: Finding[] }> {
  const columns = await readColumns(service)
  const found: Finding[] = []
  for (const { table, column } of columns) {
    const { rows } = await sql<{ value: string }>`select ${sql.ref(column)}::text as value from ${sql.table(table)}
      where ${sql.ref(column)} is not null`.execute(service.db)
    const names = new Set(rows.flatMap(({ value }) => namesIn(value, needles)))
    if (names.size > 0) found.push(`${table}.${column}: ${[...names].sort().join(', ')}`)
  }
  return { columns: columns.length, found }
}

/** What is compressed inside of a file: entries of archives such as EPUB, and streams of PDF. */
function* unpacked(bytes: Buffer): Generator<Buffer> {
  for (let at = bytes.indexOf('PK\u0003\u0004'); at >= 0; at = bytes.indexOf('PK\u0003\u0004', at + 4)) {
    const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
    yield* inflated(() => inflateRawSync(bytes.subarray(start)))
  }
  for (let at = bytes.indexOf('stream\n'); at >= 0; at = bytes.indexOf('stream\n', at + 7))
    yield* inflated(() => inflateSync(bytes.subarray(at + 7)))
}

function* inflated(inflate: () => Buffer): Generator<Buffer> {
  try {
    yield inflate()
  } catch {
    // What is not compressed was searched as it is.
  }
}

/** Where files of the service, and what is compressed in them, say who somebody is. */
export async function searchFiles(service: Service, needles: Needles): Promise<{ files: string[]; found: Finding[] }> {
  const root = dirname(service.uploadFolder)
  const entries = await readdir(root, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const found: Finding[] = []
  for (const file of files) {
    const bytes = await readFile(file)
    const names = new Set(namesIn(file, needles))
    for (const part of [bytes, ...unpacked(bytes)])
      for (const name of namesIn(part.toString('latin1'), needles)) names.add(name)
    if (names.size > 0) found.push(`${relative(root, file)}: ${[...names].sort().join(', ')}`)
  }
  return { files: files.map((file) => relative(root, file)), found }
}

import { inOneLine, readSources, roomOf, type Source, type Violation } from './source.ts'

/** A statement that writes a table, in the words of Kysely or of SQL. The table is empty if it is computed. */
const WRITES =
  /(?:insertInto|updateTable|deleteFrom|prepareInsert|prepareInsertRows|deleteBatch)\(\s*(?:tx,\s*)?'(\w+)'|insert into (\w+)|update (\w+)(?: as \w+)?\s+set|delete from (\w+)|(insert into |update |delete from )\$\{/g

/** Files in which a computed table is one of a few that the type of a parameter names. */
const COMPUTED: Record<string, string> = {
  'src/selling/orders/bulk-insert.commands.ts': 'the type of the parameter allows the tables of orders alone',
  'src/platform/db/batches.ts': 'callers of deleteBatch name the table',
  'src/platform/db/row-inserts.ts': 'callers of prepareInsertRows name the table',
  'src/platform/db/writes.ts': 'callers of prepareInsert name the table',
  'src/platform/identity/sealed-columns.ts': 'each resource names the sealed columns of its own tables',
  'src/catalog/products/rows.commands.ts': 'the type of the parameter allows the tables of products alone',
}

type Write = { path: string; line: number; room: string; table: string | undefined }

export function writesOf({ path, text }: Source): Write[] {
  return [...text.matchAll(WRITES)].map((match) => ({
    path,
    line: text.slice(0, match.index).split('\n').length,
    room: roomOf(path),
    table: match.slice(1, 5).find((name) => name !== undefined),
  }))
}

/** Every table is written by one room, so that its rules cannot be bypassed. Others call that room's commands. */
export function checkTables(sources: Source[]): string[] {
  const writes = sources.flatMap(writesOf)
  if (writes.length === 0) return ['saw no statement that writes: it looked in the wrong place']
  const computed = writes.filter(({ path, table }) => table === undefined && COMPUTED[path] === undefined)
  const byTable = Map.groupBy(
    writes.filter(({ table }) => table !== undefined),
    ({ table }) => table,
  )
  const shared = [...byTable].flatMap(([table, ofTable]) => {
    const rooms = [...new Set(ofTable.map(({ room }) => room))].sort()
    if (rooms.length === 1) return []
    return ofTable.map((write) => violation(write, `writes ${table}, which ${rooms.join(' and ')} both write`))
  })
  return [
    ...computed.map((write) => violation(write, 'writes a computed table, which cannot be checked')),
    ...shared,
  ].map(inOneLine)
}

function violation({ path, line }: Write, message: string): Violation {
  return { path, line, message }
}

export async function checkTablesOfProject(): Promise<string[]> {
  const sources = await readSources(['src/**/*.ts'])
  return checkTables(sources.filter(({ path }) => !path.endsWith('.test.ts')))
}

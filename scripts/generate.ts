import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDatabase } from '#platform/db/database.ts'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { migrate } from '#platform/db/migrate.ts'
import { openApiDocument } from '#program/command-line/openapi.ts'
import { withCounts } from './check-security.ts'
import { clientResources, clientTopics, clientTypes } from './client.ts'
import { errorsPage } from './errors.ts'
import { adminMessageTypes, messageTypes } from './messages.ts'
import { permissionsPage } from './permissions.ts'
import { adminProductTypes } from './product-types.ts'
import { envExample, settingsPage } from './settings.ts'
import { ROOT } from './source.ts'
import { themesPage } from './themes.ts'

const run = promisify(execFile)

/** Types of the rows, read from a fresh database with every migration applied. */
async function rowTypes(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'licet-generate-'))
  try {
    const server = await startEmbedded(folder)
    try {
      return await readRowTypes(server, join(folder, 'types.gen.ts'))
    } finally {
      await server.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readRowTypes(
  { host, user, database }: { host: string; user: string; database: string },
  outFile: string,
): Promise<string> {
  const handle = openDatabase({ host, user, database }, { poolMax: 1 })
  await migrate(handle.db)
  await handle.close()
  const options = {
    '--dialect': 'postgres',
    '--url': `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
    '--out-file': outFile,
    '--exclude-pattern': '*kysely*',
    '--numeric-parser': 'number',
    '--type-mapping': JSON.stringify({
      int8: 'number',
      json: 'ColumnType<unknown, string, string>',
      // The database works out words and the titles of products by itself.
      tsvector: 'ColumnType<string, never, never>',
    }),
    '--overrides': JSON.stringify({ columns: { 'products.titles': 'ColumnType<unknown, never, never>' } }),
  }
  await run(join(ROOT, 'node_modules/.bin/kysely-codegen'), Object.entries(options).flat(), { cwd: ROOT })
  return readFile(outFile, 'utf8')
}

let document: ReturnType<typeof openApiDocument> | undefined

/** Several files are made from the document, which is built once. */
function apiDocument(): ReturnType<typeof openApiDocument> {
  document ??= openApiDocument()
  return document
}

/** Only the counts of this page are generated. */
async function securityPage(): Promise<string> {
  const read = (path: string) => readFile(join(ROOT, path), 'utf8')
  return withCounts(await read('docs/security.md'), await read('docs/security-asvs.md'))
}

/** Every generated file and what makes its text; nothing is written here, so that the check can compare. */
export const GENERATED: Record<string, () => Promise<string>> = {
  'src/platform/db/types.gen.ts': rowTypes,
  'src/platform/text/messages.gen.ts': async () => messageTypes(),
  'admin/src/words/messages.gen.ts': async () => adminMessageTypes(),
  'admin/src/products/types.gen.ts': async () => adminProductTypes(),
  'docs/openapi.json': async () => `${JSON.stringify(await apiDocument(), null, 2)}\n`,
  'client/src/openapi.gen.ts': async () => clientTypes(await apiDocument()),
  'client/src/resources.gen.ts': async () => clientResources(await apiDocument()),
  'client/src/topics.gen.ts': async () =>
    clientTopics(await readFile(join(ROOT, 'src/history/events/topics.facts.ts'), 'utf8')),
  'docs/errors.md': async () => errorsPage(),
  'docs/permissions.md': async () => permissionsPage(await apiDocument()),
  'docs/settings.md': async () => settingsPage(),
  'docs/themes.md': async () => themesPage(),
  'docs/security.md': securityPage,
  '.env.example': async () => envExample(),
}

async function current(path: string): Promise<string | undefined> {
  return readFile(join(ROOT, path), 'utf8').catch(() => undefined)
}

/** The generated files that are not what they would become. */
export async function checkGenerated(): Promise<string[]> {
  const stale = await Promise.all(
    Object.entries(GENERATED).map(async ([path, make]) =>
      (await make()) === (await current(path)) ? [] : [`${path} is not up to date: run npm run generate`],
    ),
  )
  return stale.flat()
}

if (import.meta.main) {
  for (const [path, make] of Object.entries(GENERATED)) {
    const text = await make()
    const changed = text !== (await current(path))
    if (changed) await writeFile(join(ROOT, path), text)
    console.log(`${changed ? 'written  ' : 'unchanged'} ${path}`)
  }
}

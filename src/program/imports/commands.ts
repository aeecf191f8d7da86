import { sql } from 'kysely'
import { recordChange } from '#history/audit/commands.ts'
import { deleteBatch } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import type { Origin } from '#platform/identity/origin.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { assertCsv, csvOf, guessEncoding, readColumns } from './csv/content.ts'
import type { CsvKind } from './csv/kinds.facts.ts'
import { findPreset } from './csv/presets/rules.ts'
import { kindOf } from './csv/source.ts'
import { alreadyImported, fileUnreadable, importKindMissing, importUnderWay, tooManyImports } from './errors.ts'
import { UnreadableFile } from './importer/unreadable.ts'
import { CHECK_IMPORT, RUN_IMPORT } from './jobs.ts'
import { presentImport } from './present.ts'
import { countImports, getImport, lockImport, readContent } from './queries.ts'
import { decide, UNDO_MS, withKnownFields } from './rules.ts'
import type { ImportInput } from './schema.ts'
import type { ImportColumn, ImportProblem, ImportReport, ImportState } from './state.ts'

const IMPORTS_MAX = 100
const KEPT_MS = 3 * 86_400_000

export type NewFile = { content: Buffer; fileName: string; kind: CsvKind | undefined }

/** What can be seen of a file without reading all of it. */
export type Inspected = Pick<ImportState, 'encoding' | 'kind' | 'exported_from' | 'columns'>

/** Looks at the first lines of a file. It needs no transaction, and may take a moment. */
export async function inspectFile({ content, fileName, kind: chosen }: NewFile): Promise<Inspected> {
  try {
    assertCsv(content)
    const encoding = guessEncoding(content)
    const columns = (await readColumns(csvOf(content, encoding))).map((column) => ({ ...column, field: null }))
    if (columns.length === 0) throw new UnreadableFile('empty', (file) => `${file} names no columns`)
    const headings = columns.map(({ heading }) => heading)
    const preset = findPreset(headings)
    const kind = chosen ?? preset?.kind ?? kindOf(headings) ?? null
    const exported_from = preset?.shop ?? null
    return { encoding, kind, exported_from, columns: withKnownFields(columns, kind, exported_from) }
  } catch (error) {
    throw error instanceof UnreadableFile ? fileUnreadable(error.sentenceFor(fileName)) : error
  }
}

/** Stores a file that somebody wants to import. Nothing is imported yet. */
export async function storeFile(
  tx: Tx,
  { companyId, userId, appId }: Author,
  { content, fileName }: NewFile,
  { columns, ...inspected }: Inspected,
  now: Date,
): Promise<Written<ImportState>> {
  const { count } = await countImports(tx, companyId)
  if (count >= IMPORTS_MAX) throw tooManyImports(IMPORTS_MAX)
  const { id } = await tx
    .insertInto('imports')
    .values({
      company_id: companyId,
      user_id: userId || null,
      app_id: appId || null,
      file_name: fileName,
      size: content.length,
      ...inspected,
      columns: JSON.stringify(columns),
      state: 'draft',
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.insertInto('import_contents').values({ company_id: companyId, import_id: id, content }).execute()
  return written(tx, companyId, id)
}

/** Changes what was decided about a file. A check that is under way is of no use then. */
export async function changeImport(
  tx: Tx,
  companyId: number,
  ref: string,
  input: ImportInput,
  now: Date,
): Promise<Written<ImportState>> {
  const before = await lockImport(tx, companyId, ref)
  assertOpen(before)
  const { encoding = before.encoding } = input
  const columns = encoding === before.encoding ? before.columns : await columnsIn(tx, companyId, before, encoding)
  const after = decide({ ...before, columns }, input)
  await tx
    .updateTable('imports')
    .set({
      encoding,
      kind: after.kind,
      exported_from: after.exported_from,
      columns: JSON.stringify(after.columns),
      defaults: JSON.stringify(after.defaults),
      fixes: JSON.stringify(after.fixes),
      left_out: JSON.stringify(after.left_out),
      matches: JSON.stringify(after.matches),
      state: 'draft',
      revision: before.revision + 1,
      problem: null,
      updated_at: now,
    })
    .where('company_id', '=', companyId)
    .where('id', '=', before.id)
    .execute()
  return written(tx, companyId, before.id)
}

/** In another encoding the headings may be others, too. */
async function columnsIn(tx: Tx, companyId: number, before: ImportState, encoding: string): Promise<ImportColumn[]> {
  try {
    const columns = await readColumns(csvOf(await readContent(tx, companyId, before.id), encoding))
    const former = new Map(before.columns.map(({ heading, field }) => [heading, field]))
    return withKnownFields(
      columns.map((column) => ({ ...column, field: null })),
      before.kind,
      before.exported_from,
    ).map((column) => ({
      ...column,
      field: former.has(column.heading) ? (former.get(column.heading) ?? null) : column.field,
    }))
  } catch (error) {
    throw error instanceof UnreadableFile ? fileUnreadable(error.sentenceFor(before.file_name)) : error
  }
}

function assertOpen({ state }: ImportState): void {
  if (state === 'importing' || state === 'undoing') throw importUnderWay()
  if (state === 'imported' || state === 'undone') throw alreadyImported()
}

type Asker = Author & { origin: Origin }

/** Has the worker find out what an import would do. */
export function startCheck(tx: Tx, asker: Asker, ref: string, now: Date): Promise<Written<ImportState>> {
  return start(tx, asker, ref, 'checking', now)
}

/** Has the worker import the file. It checks everything once more, and keeps nothing if there is a mistake. */
export function startRun(tx: Tx, asker: Asker, ref: string, now: Date): Promise<Written<ImportState>> {
  return start(tx, asker, ref, 'importing', now)
}

async function start(
  tx: Tx,
  { companyId, userId, appId, origin }: Asker,
  ref: string,
  state: 'checking' | 'importing',
  now: Date,
): Promise<Written<ImportState>> {
  const before = await lockImport(tx, companyId, ref)
  assertOpen(before)
  if (before.kind === null) throw validationFailed('kind', importKindMissing())
  if (before.state === state) return { state: before, document: asciiJson(presentImport(before)) }
  const revision = before.revision + 1
  await tx
    .updateTable('imports')
    .set({ state, revision, done: 0, problem: null, updated_at: now })
    .where('company_id', '=', companyId)
    .where('id', '=', before.id)
    .execute()
  const data = { id: before.id, revision, userId: userId ?? null, appId: appId ?? null, origin }
  await enqueue(tx, { kind: state === 'checking' ? CHECK_IMPORT : RUN_IMPORT, companyId, data }, now)
  return written(tx, companyId, before.id)
}

export async function deleteImport(tx: Tx, companyId: number, ref: string): Promise<void> {
  const { id, state } = await lockImport(tx, companyId, ref)
  if (state === 'importing' || state === 'undoing') throw importUnderWay()
  await tx.deleteFrom('imports').where('company_id', '=', companyId).where('id', '=', id).execute()
}

/** Which decisions a job is about. */
type Of = { companyId: number; id: number; revision: number }

/** Says how far a job is. */
export async function noteProgress(
  tx: Tx,
  { companyId, id, revision }: Of,
  done: number,
  total: number,
): Promise<void> {
  await tx
    .updateTable('imports')
    .set({ done, total })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('revision', '=', revision)
    .execute()
}

export type Outcome =
  | { state: 'checked' | 'imported'; total: number; report: ImportReport }
  | { state: 'failed'; problem: ImportProblem }

/** Writes down what a job has found out, unless the file was decided about anew since. Returns whether it did. */
export async function noteOutcome(
  tx: Tx,
  { companyId, id, revision }: Of,
  outcome: Outcome,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('imports')
    .set({
      state: outcome.state,
      updated_at: now,
      ...(outcome.state === 'failed'
        ? { problem: JSON.stringify(outcome.problem) }
        : { total: outcome.total, done: outcome.total, report: JSON.stringify(outcome.report) }),
      ...(outcome.state === 'imported' ? { imported_at: now } : {}),
    })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Puts the import on record. */
export async function recordImport(
  tx: Tx,
  author: Author,
  { file_name }: ImportState,
  report: ImportReport,
  now: Date,
) {
  const { created, changed } = report.counts
  await recordChange(tx, author, 'file imported', `${file_name}: ${created} created, ${changed} changed`, now)
}

/** Deletes files that were sent three days ago, unless their import can still be undone, and returns how many. */
export function deleteOldImports(tx: Tx, now: Date): Promise<number> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const isOld = sql`created_at < ${before(KEPT_MS)} and coalesce(imported_at < ${before(UNDO_MS)}, true)`
  return deleteBatch(tx, 'imports', 'created_at', sql`${isOld} and state not in ('importing', 'undoing')`)
}

async function written(tx: Tx, companyId: number, id: number): Promise<Written<ImportState>> {
  const state = await getImport(tx, companyId, String(id))
  return { state, document: asciiJson(presentImport(state)) }
}

import type { Db, Tx } from '#platform/db/database.ts'
import { condition } from '#platform/db/expressions.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import type { CsvKind } from './csv/kinds.facts.ts'
import { importNotFound } from './errors.ts'
import type { ImportState } from './state.ts'

const COLUMNS = [
  'imports.id',
  'imports.file_name',
  'imports.size',
  'imports.encoding',
  'imports.kind',
  'imports.exported_from',
  'imports.columns',
  'imports.defaults',
  'imports.fixes',
  'imports.left_out',
  'imports.matches',
  'imports.state',
  'imports.revision',
  'imports.total',
  'imports.done',
  'imports.report',
  'imports.problem',
  'imports.undo',
  'imports.created_at',
  'imports.updated_at',
  'imports.imported_at',
] as const

/** Every read of imports starts here, so none can forget the company. */
function importsOf(db: Db, companyId: number) {
  return db.selectFrom('imports').where('imports.company_id', '=', companyId)
}

/** Only commands of this room write these columns, so their shapes are known. */
function rowsOf(db: Db, companyId: number) {
  return importsOf(db, companyId).select(COLUMNS).$narrowType<ImportState>()
}

const listed = prepareList((db: Db, { company, hidden }: { company: number; hidden: string[] }) =>
  rowsOf(db, company).where(condition`coalesce(imports.kind <> all(${hidden}::text[]), true)`),
)

/** The imports of a company, without those of some kinds. */
export function listImports(db: Db, companyId: number, hidden: readonly CsvKind[]): RowList<ImportState> {
  return listed(db, { company: companyId, hidden: [...hidden] })
}

export function countImports(db: Db, companyId: number): Promise<{ count: number }> {
  return importsOf(db, companyId)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
}

function byRef(db: Db, companyId: number, ref: string) {
  if (!/^\d{1,15}$/.test(ref)) throw importNotFound(ref)
  return rowsOf(db, companyId).where('imports.id', '=', Number(ref))
}

export function findImport(db: Db, companyId: number, id: number): Promise<ImportState | undefined> {
  return rowsOf(db, companyId).where('imports.id', '=', id).executeTakeFirst()
}

/** An import of the company; another company's is not found. */
export async function getImport(db: Db, companyId: number, ref: string): Promise<ImportState> {
  const found = await byRef(db, companyId, ref).executeTakeFirst()
  if (found === undefined) throw importNotFound(ref)
  return found
}

/** getImport that locks the row until the transaction ends. */
export async function lockImport(tx: Tx, companyId: number, ref: string): Promise<ImportState> {
  const found = await byRef(tx, companyId, ref).forNoKeyUpdate().executeTakeFirst()
  if (found === undefined) throw importNotFound(ref)
  return found
}

/** The bytes of the file. */
export async function readContent(db: Db, companyId: number, id: number): Promise<Buffer> {
  const { content } = await db
    .selectFrom('import_contents')
    .select('content')
    .where('company_id', '=', companyId)
    .where('import_id', '=', id)
    .executeTakeFirstOrThrow()
  return content
}

import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Columns, Filled } from '#platform/db/expressions.ts'
import type { ContentFileState } from '../state.ts'

/** An upload that is not complete, with its file. */
export type UploadState = { id: string; size: number | null; touched_at: Date; file: ContentFileState }

/** Every read of uploads starts here, so none can forget the company. */
function uploadsOf(db: Db, companyId: number) {
  return db.selectFrom('content_uploads').where('content_uploads.company_id', '=', companyId)
}

/** The company is at the beginning of an upload's id, before its secret part. */
export function companyOf(uploadId: string): number | undefined {
  const [, company] = /^(\d{1,15})-[0-9a-f]{32}$/.exec(uploadId) ?? []
  return company === undefined ? undefined : Number(company)
}

export async function findUpload(db: Db, uploadId: string): Promise<UploadState | undefined> {
  const companyId = companyOf(uploadId)
  if (companyId === undefined) return undefined
  const row = await uploadsOf(db, companyId)
    .innerJoin('content_files as file', (join) =>
      join.onRef('file.company_id', '=', 'content_uploads.company_id').onRef('file.id', '=', 'content_uploads.file_id'),
    )
    .selectAll('file')
    .select(['content_uploads.id as upload_id', 'content_uploads.size as upload_size', 'content_uploads.touched_at'])
    .$narrowType<Pick<ContentFileState, 'role' | 'status' | 'fault'>>()
    .where('content_uploads.id', '=', uploadId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { upload_id, upload_size, touched_at, ...file } = row
  return { id: upload_id, size: upload_size, touched_at, file }
}

/** An upload of the same file by the command line that was interrupted, to go on with. */
export async function findInterrupted(
  db: Db,
  companyId: number,
  file: { product_key: number; name: string; role: string; language: string; size: number },
): Promise<string | undefined> {
  const row = await uploadsOf(db, companyId)
    .innerJoin('content_files as file', (join) =>
      join.onRef('file.company_id', '=', 'content_uploads.company_id').onRef('file.id', '=', 'content_uploads.file_id'),
    )
    .select('content_uploads.id')
    .where('content_uploads.size', '=', file.size)
    .where('file.product_key', '=', file.product_key)
    .where('file.name', '=', file.name)
    .where('file.role', '=', file.role)
    .where('file.language', '=', file.language)
    .orderBy('content_uploads.file_id', 'desc')
    .executeTakeFirst()
  return row?.id
}

/** The uploads of all companies that received nothing for so long. */
export async function listAbandoned(db: Db, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<Columns<'content_uploads', 'id'>>`select id from content_uploads
    where touched_at < ${before} order by touched_at limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The uploads of all companies that know their size, which may be complete without anybody having noticed. */
export async function listUnfinished(db: Db, limit: number): Promise<{ id: string; size: number }[]> {
  const { rows } = await sql<Filled<'content_uploads', 'id' | 'size'>>`select id, size from content_uploads
    where size is not null and (leased_until is null or leased_until < now())
    order by touched_at desc limit ${limit}`.execute(db)
  return rows
}

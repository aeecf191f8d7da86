import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { PackedFileState, PackedPart, PackingFacts, PackingSource } from './state.ts'

/** Every read of packed files starts here, so none can forget the company. */
function packedFilesOf(db: Db, companyId: number) {
  return db.selectFrom('packed_files').where('packed_files.company_id', '=', companyId)
}

type Typed = Pick<PackedFileState, 'state' | 'fault' | 'tracks'>

const byId = prepare((db: Db, companyId: number, id: number) =>
  packedFilesOf(db, companyId).selectAll().$narrowType<Typed>().where('packed_files.id', '=', id).compile(),
)

export async function findPackedFile(db: Db, companyId: number, id: number): Promise<PackedFileState | undefined> {
  const [file] = await byId(db, companyId, id)
  return file
}

/** Locks a file that is not packed completely; false if it is, failed, or is gone. */
export async function lockPending(
  tx: Tx,
  { company_id, id }: Pick<PackedFileState, 'company_id' | 'id'>,
): Promise<boolean> {
  const file = await packedFilesOf(tx, company_id)
    .select('packed_files.id')
    .where('packed_files.id', '=', id)
    .where('packed_files.state', '=', 'pending')
    .forUpdate()
    .executeTakeFirst()
  return file !== undefined
}

const bySource = prepare((db: Db, companyId: number, key: string) =>
  packedFilesOf(db, companyId).selectAll().$narrowType<Typed>().where('packed_files.source_key', '=', key).compile(),
)

/** What was packed from stored bytes; undefined if nobody has asked for it. */
export async function findPackedOf(
  db: Db,
  { company_id, source_key }: Pick<PackingSource, 'company_id' | 'source_key'>,
): Promise<PackedFileState | undefined> {
  const [file] = await bySource(db, company_id, source_key)
  return file
}

/** Every read of the parts of a file starts here, so none can forget the company. */
function partsOf(db: Db, companyId: number, id: number) {
  return db
    .selectFrom('packed_parts')
    .where('packed_parts.company_id', '=', companyId)
    .where('packed_parts.packed_id', '=', id)
}

const inOrder = prepare((db: Db, companyId: number, id: number) =>
  partsOf(db, companyId, id)
    .select(['packed_parts.number', 'packed_parts.next_seconds', 'packed_parts.tracks'])
    .$narrowType<Pick<PackedPart, 'tracks'>>()
    .orderBy('packed_parts.number')
    .compile(),
)

/** The parts of a packed file, in order. */
export function readParts(db: Db, companyId: number, id: number): Promise<PackedPart[]> {
  return inOrder(db, companyId, id)
}

/** Where packing goes on: the number of the next part, and its first second. */
export async function readNext(db: Db, companyId: number, id: number): Promise<{ number: number; from: number }> {
  const last = await partsOf(db, companyId, id)
    .select(['packed_parts.number', 'packed_parts.next_seconds'])
    .orderBy('packed_parts.number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last === undefined ? { number: 0, from: 0 } : { number: last.number + 1, from: last.next_seconds ?? 0 }
}

/** How far the packing of the bytes with this hash is, as a JSON object, for queries of content files; null: it is not packed. */
export function packingAsJson(companyId: RawBuilder<unknown>, hash: RawBuilder<unknown>) {
  return sql<Columns<'packed_files', keyof PackingFacts> | null>`(
    select json_build_object('state', packed.state, 'fault', packed.fault, 'codec', packed.codec,
      'duration', packed.duration, 'packed_seconds', packed.packed_seconds)
    from content_blobs as packed_blob
    join packed_files as packed
      on packed.company_id = packed_blob.company_id and packed.source_key = packed_blob.key
    where packed_blob.company_id = ${companyId} and packed_blob.sha256 = ${hash})`
}

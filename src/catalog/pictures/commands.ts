import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { DELETE_PICTURE_FILES, FETCH_PICTURE } from './jobs.ts'
import { comparePictures, type Picture } from './rules.ts'

export type PictureOwner = { product_key: number } | { category_id: number } | { theme_setting_id: number }

/**
 * What becomes of pictures that are removed: they are deleted, or kept for a day as uploads that nothing uses, so that a change
 * which can be undone loses none.
 */
export type RemovedPictures = 'deleted' | 'kept for a day'

/** Replaces the pictures of a resource; new ones are fetched by a job after the answer. */
export async function savePictures(
  tx: Tx,
  companyId: number,
  owner: PictureOwner,
  before: Picture[],
  after: Picture[],
  now: Date,
  fate: RemovedPictures = 'deleted',
): Promise<void> {
  const { added, removed, replaced, moved } = comparePictures(before, after)
  const [uploaded, linked] = [added.filter(isStored), added.filter((picture) => !isStored(picture))]
  await Promise.all([
    addPictures(tx, companyId, owner, linked, now),
    takeOver(tx, companyId, owner, uploaded),
    fate === 'deleted' ? removePictures(tx, companyId, removed, now) : putAside(tx, companyId, removed, now),
    ...replaced.map((picture) => replaceSource(tx, companyId, picture, now)),
    movePictures(tx, companyId, moved),
  ])
}

const isStored = ({ state }: Picture) => state === 'stored'

/** Makes pictures of a resource what they were before somebody used them. Those that were never fetched are nothing to keep. */
async function putAside(tx: Tx, companyId: number, ids: number[], now: Date): Promise<void> {
  if (ids.length === 0) return
  const kept = await tx
    .updateTable('pictures')
    .set({ product_key: null, category_id: null, theme_setting_id: null, position: null, created_at: now })
    .where('company_id', '=', companyId)
    .where('id', 'in', ids)
    .where('state', '=', 'stored')
    .returning('id')
    .execute()
  const isKept = new Set(kept.map(({ id }) => id))
  await removePictures(
    tx,
    companyId,
    ids.filter((id) => !isKept.has(id)),
    now,
  )
}

/** Makes uploads the pictures of a resource. */
async function takeOver(tx: Tx, companyId: number, owner: PictureOwner, uploads: Picture[]): Promise<void> {
  if (uploads.length === 0) return
  const ids = uploads.map(({ id }) => id)
  await Promise.all([
    tx.updateTable('pictures').set(owner).where('company_id', '=', companyId).where('id', 'in', ids).execute(),
    movePictures(tx, companyId, uploads),
  ])
}

async function addPictures(
  tx: Tx,
  companyId: number,
  owner: PictureOwner,
  pictures: Picture[],
  now: Date,
): Promise<void> {
  if (pictures.length === 0) return
  const rows = pictures.map(({ id, source_url, position }) => ({
    company_id: companyId,
    ...owner,
    id,
    source_url,
    position,
    created_at: now,
  }))
  await Promise.all([tx.insertInto('pictures').values(rows).execute(), requestFetch(tx, companyId, pictures, now)])
}

function requestFetch(tx: Tx, companyId: number, pictures: Picture[], now: Date): Promise<void> {
  return enqueue(
    tx,
    pictures.map(({ id }) => ({ kind: FETCH_PICTURE, companyId, data: { id } })),
    now,
  )
}

async function replaceSource(tx: Tx, companyId: number, picture: Picture, now: Date): Promise<void> {
  await tx
    .updateTable('pictures')
    .set({ source_url: picture.source_url, state: 'pending', failure: null, attempts: 0, file: null })
    .where('company_id', '=', companyId)
    .where('id', '=', picture.id)
    .execute()
  await requestFetch(tx, companyId, [picture], now)
}

async function movePictures(tx: Tx, companyId: number, pictures: Picture[]): Promise<void> {
  if (pictures.length === 0) return
  const ids = pictures.map(({ id }) => id)
  const positions = pictures.map(({ position }) => position)
  await sql`update pictures set position = moved.position
    from unnest(${ids}::bigint[], ${positions}::int[]) as moved (id, position)
    where pictures.company_id = ${companyId} and pictures.id = moved.id`.execute(tx)
}

/** Removes pictures; their files go after the commit, because a rollback could not bring them back. */
export async function removePictures(tx: Tx, companyId: number, ids: number[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await tx.deleteFrom('pictures').where('company_id', '=', companyId).where('id', 'in', ids).execute()
  await enqueue(
    tx,
    ids.map((id) => ({ kind: DELETE_PICTURE_FILES, companyId, data: { id } })),
    now,
  )
}

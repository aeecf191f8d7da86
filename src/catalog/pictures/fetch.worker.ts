import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { isBeingCopied } from '#platform/db/table-copies.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Files } from '#platform/files/files.ts'
import { createHandler, type JobHandler } from '#platform/jobs/handlers.ts'
import type { Job } from '#platform/jobs/kinds.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { TRIES_MAX } from '#platform/jobs/retry.ts'
import { download } from '#platform/outbound/download.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import type { PictureOwner } from './commands.ts'
import { PICTURE_TYPES, type PictureExtension } from './formats.facts.ts'
import { inspectImage } from './image.files.ts'
import { DELETE_PICTURE_FILES, FETCH_PICTURE } from './jobs.ts'
import { originalName, pictureFolder } from './names.rules.ts'
import { findPicture, lockPictureOwner, type StoredPicture } from './queries.ts'
import { ownPictureId } from './rules.ts'
import { PICTURE_BYTES_MAX } from './schema.ts'
import { contentHash } from './store.commands.ts'

/** Updates the owner's document in the transaction that stores the picture. */
export type OnStored = (tx: Tx, companyId: number, owner: PictureOwner) => Promise<void>

export type PictureFetcherOptions = { db: Db; files: Files; outbound: Outbound; clock: Clock; onStored: OnStored }

type PictureJob = Job<{ id: number }, number>
type Fetched = { kind: 'image'; bytes: Buffer; extension: PictureExtension; width: number; height: number }
type Refused = { kind: 'refused'; reason: string; permanent: boolean }

const PUT_OFF_MS = 60_000
const LIMITS = { bytesMax: PICTURE_BYTES_MAX, timeoutMs: 20_000, redirectsMax: 3 }

/** Handles FETCH_PICTURE: stores a copy of a picture, or records why that is not possible. */
export function createPictureFetcher({ db, files, outbound, clock, onStored }: PictureFetcherOptions): JobHandler {
  return createHandler(FETCH_PICTURE, fetchPicture, giveUp)

  async function fetchPicture(job: PictureJob): Promise<void> {
    const picture = await findPicture(db, job.companyId, job.data.id)
    if (picture === undefined || picture.state !== 'pending' || picture.source_url === '') return
    const own = await readOwn(files, picture)
    const fetched = own === undefined ? await fetchImage(outbound, picture.source_url) : await inspected(own)
    if (fetched.kind === 'image')
      return store(picture, fetched).catch((error) => giveUpOnStoring(picture, job.attempts, error))
    const last = fetched.permanent || job.attempts >= TRIES_MAX
    await recordFailure(db, picture, last ? 'failed' : 'pending', job.attempts, fetched.reason)
    if (!last) throw new Error(fetched.reason)
  }

  /** A picture that crashed every process that tried it, so that only the number of attempts is recorded. */
  async function giveUp(job: PictureJob): Promise<void> {
    const picture = await findPicture(db, job.companyId, job.data.id)
    if (picture === undefined) return
    await recordFailure(db, picture, 'failed', job.attempts, 'The picture could not be processed.')
  }

  /**
   * A full disk concerns the operator (log, job); the shop owner learns at the last attempt that there is no picture.
   */
  async function giveUpOnStoring(picture: StoredPicture, attempts: number, error: Error): Promise<never> {
    if (attempts >= TRIES_MAX) await recordFailure(db, picture, 'failed', attempts, 'The picture could not be stored.')
    throw error
  }

  async function store(picture: StoredPicture, image: Fetched): Promise<void> {
    const folder = pictureFolder(picture.company_id, picture.id)
    const file = originalName(contentHash(image.bytes), image.extension)
    await files.put(`${folder}/${file}`, image.bytes)
    const stored = await inTransaction(db, async (tx) => {
      // The owner is locked first, as commands do; in the other order the two could deadlock.
      await lockPictureOwner(tx, picture.company_id, picture)
      const marked = await markStored(tx, picture, file, image, clock.of(picture.company_id))
      if (marked) await onStored(tx, picture.company_id, ownerOf(picture))
      return marked
    })
    // The picture was removed during the fetch, and its files may have been deleted before this one was stored.
    if (!stored && (await findPicture(db, picture.company_id, picture.id)) === undefined) await files.deleteAll(folder)
  }
}

/**
 * Handles DELETE_PICTURE_FILES; running it twice does no harm. While a backup is made, the files may belong to it, so
 * the job is put off.
 */
export function createPictureFilesDeleter({ db, files, clock }: { db: Db; files: Files; clock: Clock }): JobHandler {
  return createHandler(DELETE_PICTURE_FILES, async ({ companyId, data }) => {
    if (!(await isBeingCopied(db))) return files.deleteAll(pictureFolder(companyId, data.id))
    const now = clock.of(companyId)
    const later = new Date(now.getTime() + PUT_OFF_MS)
    return inTransaction(db, (tx) => enqueue(tx, { kind: DELETE_PICTURE_FILES, companyId, data }, now, later))
  })
}

async function fetchImage(outbound: Outbound, url: string): Promise<Fetched | Refused> {
  const got = await download(outbound, url, LIMITS)
  return got.kind === 'refused' ? got : inspected(got.bytes)
}

async function inspected(bytes: Buffer): Promise<Fetched | Refused> {
  const image = await inspectImage(bytes)
  if (image.kind === 'image') return { ...image, bytes }
  return { kind: 'refused', reason: image.reason, permanent: image.isFinal }
}

/**
 * Another picture of the same company is copied from where it is stored: no request of the service to itself. Its name
 * has the hash of its bytes, so the host of the address does not matter.
 */
async function readOwn(files: Files, { company_id, source_url }: StoredPicture): Promise<Buffer | undefined> {
  const id = ownPictureId(company_id, source_url)
  const name = source_url.split('/').at(-1) ?? ''
  return id === undefined ? undefined : files.read(`${pictureFolder(company_id, id)}/${name}`)
}

/** The row, if its source is still the fetched one. A source that was replaced in the meantime has its own job. */
function stillWanted(db: Db, { company_id, id, source_url }: StoredPicture) {
  return db
    .updateTable('pictures')
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .where('source_url', '=', source_url)
    .where('state', '=', 'pending')
}

async function markStored(tx: Tx, picture: StoredPicture, file: string, image: Fetched, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await stillWanted(tx, picture)
    .set({
      state: 'stored',
      failure: null,
      file,
      content_type: PICTURE_TYPES[image.extension],
      width: image.width,
      height: image.height,
      bytes: image.bytes.length,
      stored_at: now,
    })
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

async function recordFailure(
  db: Db,
  picture: StoredPicture,
  state: string,
  attempts: number,
  failure: string,
): Promise<void> {
  await stillWanted(db, picture).set({ state, attempts, failure }).execute()
}

function ownerOf({ product_key, category_id, theme_setting_id }: StoredPicture): PictureOwner {
  if (product_key !== null) return { product_key }
  if (category_id !== null) return { category_id }
  if (theme_setting_id !== null) return { theme_setting_id }
  throw new Error('a picture belongs to a product, a category or a shop')
}

import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import type { Files } from '#platform/files/files.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { removePictures } from './commands.ts'
import type { Inspection } from './decode.process.ts'
import { PICTURE_TYPES } from './formats.facts.ts'
import { originalName, pictureFolder } from './names.rules.ts'
import { pictureSrc } from './present.ts'
import type { UploadedPicture } from './schema.ts'
import { contentHash } from './store.commands.ts'

const KEPT_MS = 24 * 3_600_000
const BATCH = 500

export type Upload = { bytes: Buffer; image: Extract<Inspection, { kind: 'image' }> }

/** Stores a picture that belongs to nothing yet. */
export async function storeUpload(
  tx: Tx,
  files: Files,
  companyId: number,
  { bytes, image }: Upload,
  now: Date,
): Promise<Written<UploadedPicture>> {
  const { takePartId } = await takeIds(tx, 'products', 0, 1)
  const id = takePartId()
  const file = originalName(contentHash(bytes), image.extension)
  const { width, height } = image
  const content_type = PICTURE_TYPES[image.extension]
  const stored = { id, source_url: '', state: 'stored', file, position: null }
  const facts = { content_type, width, height, bytes: bytes.length, created_at: now, stored_at: now }
  await tx
    .insertInto('pictures')
    .values({ company_id: companyId, ...stored, ...facts })
    .execute()
  await files.put(`${pictureFolder(companyId, id)}/${file}`, bytes)
  const state = { id, url: pictureSrc(companyId, stored), width, height, content_type, size: bytes.length }
  return { state, document: asciiJson(state) }
}

/** Deletes uploads that nothing has used within a day, and returns how many. One that is being taken right now stays. */
export async function deleteUnused(tx: Tx, now: Date): Promise<number> {
  const unused = await tx
    .selectFrom('pictures')
    .select(['company_id', 'id'])
    .where('product_key', 'is', null)
    .where('category_id', 'is', null)
    .where('theme_setting_id', 'is', null)
    .where('created_at', '<', new Date(now.getTime() - KEPT_MS))
    .orderBy('created_at')
    .limit(BATCH)
    .forUpdate()
    .skipLocked()
    .execute()
  const byCompany = Map.groupBy(unused, ({ company_id }) => company_id)
  for (const [companyId, pictures] of byCompany) {
    const ids = pictures.map(({ id }) => id)
    await removePictures(tx, companyId, ids, now)
  }
  return unused.length
}

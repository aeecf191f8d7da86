import { hash } from 'node:crypto'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Files } from '#platform/files/files.ts'
import type { PictureOwner } from './commands.ts'
import { PICTURE_TYPES } from './formats.facts.ts'
import { inspectImage } from './image.files.ts'
import { originalName, pictureFolder } from './names.rules.ts'

/** A name contains the hash of the picture, so copies of it can be cached without revalidation. */
export function contentHash(bytes: Buffer): string {
  return hash('sha256', bytes, 'hex').slice(0, 32)
}

export type NewPicture = {
  companyId: number
  owner: PictureOwner
  position: number
  bytes: Buffer
  /** Takes an id for the picture. */
  takeId: (tx: Tx) => Promise<number>
  /** Updates the owner's document in the same transaction. */
  onStored: (tx: Tx) => Promise<void>
  now: Date
}

/** Adds a picture that is there already, so that nothing has to be fetched. */
export async function addStoredPicture({ db, files }: { db: Db; files: Files }, picture: NewPicture): Promise<void> {
  const { companyId, bytes, now } = picture
  const image = await inspectImage(bytes)
  if (image.kind !== 'image') throw new Error(image.reason)
  const file = originalName(contentHash(bytes), image.extension)
  await inTransaction(db, async (tx) => {
    const id = await picture.takeId(tx)
    await files.put(`${pictureFolder(companyId, id)}/${file}`, bytes)
    await tx
      .insertInto('pictures')
      .values({
        company_id: companyId,
        id,
        ...picture.owner,
        source_url: '',
        position: picture.position,
        state: 'stored',
        file,
        content_type: PICTURE_TYPES[image.extension],
        width: image.width,
        height: image.height,
        bytes: bytes.length,
        created_at: now,
        stored_at: now,
      })
      .execute()
    await picture.onStored(tx)
  })
}

import type { Db } from '#platform/db/database.ts'
import { findCopy } from '#rights/stamping/queries.ts'
import { copyOf } from '#rights/stamping/rules.ts'
import type { StampedCopy } from '#rights/stamping/state.ts'
import { filesOf } from '../access.rules.ts'
import { fileBeingPrepared, fileNotStampable } from '../errors.ts'
import { isPublic } from '../rules.ts'
import type { FileOfPurchase, Grant } from '../state.ts'

const STAMPED_TYPES = new Set(['application/pdf', 'application/epub+zip'])

/** Does the buyer get a copy that names them? The license says so as it is now, so that its owner can turn it off. */
export function isStamped(file: FileOfPurchase): boolean {
  return file.stamp === 1 && STAMPED_TYPES.has(file.content_type) && !isPublic(file)
}

export function purchaseOf({ entitlement }: Grant, { id }: FileOfPurchase) {
  return { company_id: entitlement.company_id, entitlement_id: entitlement.id, file_id: id }
}

/** Is the copy that names the buyer being made? */
export async function isCopyBeingMade(db: Db, grant: Grant, fileId: number): Promise<boolean> {
  const file = filesOf(grant).find(({ id }) => id === fileId)
  if (file === undefined || !isStamped(file)) return false
  return (await findCopy(db, purchaseOf(grant, file)))?.state === 'pending'
}

/** The copy as it is now; pending if nobody has asked for it. */
export async function readCopy(db: Db, grant: Grant, file: FileOfPurchase): Promise<StampedCopy> {
  const copy = await findCopy(db, purchaseOf(grant, file))
  return copy === undefined ? { state: 'pending' } : copyOf(copy)
}

/** The file that the buyer gets: the file itself, or the copy with a stamp. It never stands in for a copy that is missing. */
export async function sentVersion(db: Db, grant: Grant, file: FileOfPurchase): Promise<FileOfPurchase> {
  if (!isStamped(file)) return file
  const copy = await readCopy(db, grant, file)
  if (copy.state === 'pending') throw fileBeingPrepared(file.name)
  if (copy.state === 'failed') throw fileNotStampable({ name: file.name, reason: copy.reason })
  const { key, size, sha256 } = copy
  return { ...file, key, size, sha256 }
}

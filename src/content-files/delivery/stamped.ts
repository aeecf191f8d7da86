import { setTimeout as sleep } from 'node:timers/promises'
import { findRecipient } from '#customers/queries.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { requestCopy } from '#stamping/commands.ts'
import { findCopy } from '#stamping/queries.ts'
import { copyOf, type Stamp } from '#stamping/rules.ts'
import type { StampedCopy } from '#stamping/state.ts'
import { decideAccess, filesOf } from '../access.ts'
import { fileBeingPrepared, fileNotStampable } from '../errors.ts'
import { isPublic } from '../rules.ts'
import type { FileOfPurchase, Grant } from '../state.ts'

const STAMPED_TYPES = new Set(['application/pdf', 'application/epub+zip'])

/** Does the buyer get a copy that names them? The license says so as it is now, so that its owner can turn it off. */
function isStamped(file: FileOfPurchase): boolean {
  return file.stamp === 1 && STAMPED_TYPES.has(file.content_type) && !isPublic(file)
}

function purchaseOf({ entitlement }: Grant, { id }: FileOfPurchase) {
  return { company_id: entitlement.company_id, entitlement_id: entitlement.id, file_id: id }
}

/** Asks for the copy, which is made if there is none. */
async function askForCopy(tx: Tx, grant: Grant, file: FileOfPurchase, now: Date): Promise<StampedCopy> {
  const source = { ...purchaseOf(grant, file), name: file.name, source_key: file.key }
  return requestCopy(tx, source, await stampFor(tx, grant), now)
}

/** Longer than a copy takes, and shorter than programs wait. */
const PREPARATION_MS = 10_000
/** People see a page after this time, which says that they have to wait. */
export const PAGE_PREPARATION_MS = 2000
const LOOK_AGAIN_MS = 200

/** Runs a change in a transaction of its own. */
type Write = <Result>(change: (tx: Tx) => Promise<Result>) => Promise<Result>

/**
 * Has the copy made that names the buyer, and waits for it, so that a download is counted only if there is something to
 * download. If it takes longer, the worker goes on without anybody waiting.
 */
export async function prepareCopy(
  db: Db,
  write: Write,
  grant: Grant,
  file: FileOfPurchase,
  now: Date,
  waitMs = PREPARATION_MS,
): Promise<void> {
  if (!isStamped(file) || decideAccess(grant, { kind: 'file', id: file.id }, now).kind !== 'allowed') return
  const start = performance.now()
  let copy = await write((tx) => askForCopy(tx, grant, file, now))
  while (copy.state === 'pending' && performance.now() - start < waitMs) {
    await sleep(LOOK_AGAIN_MS)
    copy = await readCopy(db, grant, file)
  }
}

async function stampFor(db: Db, { entitlement, language }: Grant): Promise<Stamp> {
  const { company_id, customer_id, customer_token, order_id, acquired_at } = entitlement
  const buyer = await findRecipient(db, company_id, customer_id)
  return {
    name: `${buyer?.first_name ?? ''} ${buyer?.last_name ?? ''}`.trim(),
    // A customer whose account was erased is still told apart.
    email: buyer?.email ?? customer_token,
    order: order_id === null ? '' : `#${order_id}`,
    date: acquired_at.toISOString().slice(0, 'YYYY-MM-DD'.length),
    language,
  }
}

/** Is the copy that names the buyer being made? */
export async function isCopyBeingMade(db: Db, grant: Grant, fileId: number): Promise<boolean> {
  const file = filesOf(grant).find(({ id }) => id === fileId)
  if (file === undefined || !isStamped(file)) return false
  return (await findCopy(db, purchaseOf(grant, file)))?.state === 'pending'
}

/** The copy as it is now; pending if nobody has asked for it. */
async function readCopy(db: Db, grant: Grant, file: FileOfPurchase): Promise<StampedCopy> {
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

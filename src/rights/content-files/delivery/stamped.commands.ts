import { setTimeout as sleep } from 'node:timers/promises'
import { findRecipient } from '#people/customers/queries.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { requestCopy } from '#rights/stamping/commands.ts'
import type { Stamp } from '#rights/stamping/rules.ts'
import type { StampedCopy } from '#rights/stamping/state.ts'
import { decideAccess } from '../access.rules.ts'
import type { FileOfPurchase, Grant } from '../state.ts'
import { isStamped, purchaseOf, readCopy } from './stamped.queries.ts'

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

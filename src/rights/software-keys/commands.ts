import { sql } from 'kysely'
import { recordChange } from '#history/audit/commands.ts'
import type { CompanyTime } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Author } from '#platform/identity/caller.ts'
import { randomBelow, tokenHash } from '#platform/identity/crypto.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { normalizeTypedCode } from '#platform/wire/typed-codes.ts'
import type { Written } from '#platform/wire/written.ts'
import { releaseDevices } from '#rights/entitlements/commands.ts'
import { getEntitlement, type Viewer } from '#rights/entitlements/queries.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { keyNotReplaceable } from './errors.ts'
import { WARN_OF_KEYS } from './jobs.ts'
import { presentSoftwareKey } from './present.ts'
import { countAhead, findKeyOf, findList, lockList, lockSoftware, readActivations, readWaits } from './queries.ts'
import { isOver, mayHaveKey, newKey, warningFor } from './rules.ts'
import type { KeyList, SoftwareKeyState } from './state.ts'

/** The key of an entitlement. Whoever asks first gets it its key, if there is one. */
export async function readSoftwareKey(
  tx: Tx,
  viewer: Viewer,
  ref: string,
  now: Date,
): Promise<Written<SoftwareKeyState>> {
  const { entitlement } = await lockSoftware(tx, viewer, ref)
  await assignKey(tx, entitlement, now)
  return written(tx, viewer, ref, now)
}

/** Gives a customer another key. The old one ends at once, on all devices. */
export async function replaceSoftwareKey(
  tx: Tx,
  author: Author,
  ref: string,
  now: Date,
): Promise<Written<SoftwareKeyState>> {
  const viewer = { companyId: author.companyId, customerId: null }
  const { entitlement } = await lockSoftware(tx, viewer, ref)
  if (!mayHaveKey(entitlement, now)) throw keyNotReplaceable()
  await endKey(tx, entitlement, now)
  const { rows } = await sql<Columns<'software_activations', 'fingerprint'>>`delete from software_activations
    where company_id = ${entitlement.company_id} and entitlement_id = ${entitlement.id} returning fingerprint`.execute(
    tx,
  )
  await releaseDevices(
    tx,
    viewer,
    ref,
    rows.map(({ fingerprint }) => fingerprint),
    now,
  )
  await assignKey(tx, entitlement, now)
  const subject = `${entitlement.title} of customer ${entitlement.customer_token} (${entitlement.id})`
  await recordChange(tx, author, 'software key replaced', subject, now)
  return written(tx, viewer, ref, now)
}

async function written(tx: Tx, viewer: Viewer, ref: string, now: Date): Promise<Written<SoftwareKeyState>> {
  const { entitlement } = await getEntitlement(tx, viewer, ref)
  const given = await findKeyOf(tx, entitlement)
  const state = {
    entitlement,
    key: given?.key ?? null,
    given_at: given?.given_at ?? null,
    activations: await readActivations(tx, entitlement.company_id, entitlement.id),
  }
  return { state, document: asciiJson(presentSoftwareKey(state, now)) }
}

async function endKey(tx: Tx, { content_company_id, company_id, id }: EntitlementState, now: Date): Promise<void> {
  await tx
    .updateTable('software_keys')
    .set({ ended_at: now })
    .where('company_id', '=', content_company_id)
    .where('entitlement_company_id', '=', company_id)
    .where('entitlement_id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
}

/** Lock the entitlement first, so that it gets one key. */
async function assignKey(tx: Tx, entitlement: EntitlementState, now: Date): Promise<void> {
  if ((await findKeyOf(tx, entitlement)) !== undefined) return
  if (isOver(entitlement, now)) return stopWaiting(tx, entitlement)
  if (!mayHaveKey(entitlement, now)) return
  const list = await lockList(tx, entitlement.content_company_id, entitlement.content_key)
  // A test uses up no key that was bought for the list.
  if (list === undefined || entitlement.test) return insertGenerated(tx, entitlement, now)
  // Those who have waited longer get the keys that are left.
  if (list.left_count <= (await countAhead(tx, entitlement))) return startWaiting(tx, entitlement, now)
  await stopWaiting(tx, entitlement)
  await takeFromList(tx, list, entitlement, now)
}

async function insertGenerated(tx: Tx, entitlement: EntitlementState, now: Date): Promise<void> {
  const key = newKey(randomBelow)
  await tx
    .insertInto('software_keys')
    .values({
      company_id: entitlement.content_company_id,
      product_key: entitlement.content_key,
      key_hash: tokenHash(normalizeTypedCode(key)),
      key,
      imported: false,
      entitlement_company_id: entitlement.company_id,
      entitlement_id: entitlement.id,
      given_at: now,
      created_at: now,
    })
    .execute()
}

async function takeFromList(tx: Tx, list: KeyList, { company_id, id }: EntitlementState, now: Date): Promise<void> {
  await sql`update software_keys set entitlement_company_id = ${company_id}, entitlement_id = ${id}, given_at = ${now}
    where company_id = ${list.company_id} and id = (select free.id from software_keys as free
      where free.company_id = ${list.company_id} and free.product_key = ${list.product_key}
        and free.entitlement_id is null order by free.id limit 1)`.execute(tx)
  const after = { ...list, left_count: list.left_count - 1, given_count: list.given_count + 1 }
  const warning = warningFor(after)
  await tx
    .updateTable('software_key_lists')
    .set({ left_count: after.left_count, given_count: after.given_count, warned: warning ?? list.warned })
    .where('company_id', '=', list.company_id)
    .where('product_key', '=', list.product_key)
    .execute()
  if (warning === undefined) return
  const data = { product_key: list.product_key, warning, left: after.left_count }
  await enqueue(tx, { kind: WARN_OF_KEYS, companyId: list.company_id, data }, now)
}

async function startWaiting(
  tx: Tx,
  { content_company_id, content_key, company_id, id }: EntitlementState,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('software_key_waits')
    .values({
      company_id: content_company_id,
      product_key: content_key,
      entitlement_company_id: company_id,
      entitlement_id: id,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['company_id', 'entitlement_company_id', 'entitlement_id']).doNothing())
    .execute()
}

async function stopWaiting(tx: Tx, { content_company_id, company_id, id }: EntitlementState): Promise<void> {
  await tx
    .deleteFrom('software_key_waits')
    .where('company_id', '=', content_company_id)
    .where('entitlement_company_id', '=', company_id)
    .where('entitlement_id', '=', id)
    .execute()
}

const BATCH = 100

/** Gives the keys of a list to those who wait, in order, each in a transaction of its own. It can be repeated. */
export async function giveWaiting(
  { db, now }: { db: Db; now: CompanyTime },
  companyId: number,
  productKey: number,
): Promise<void> {
  let after = 0
  for (;;) {
    const waits = await readWaits(db, companyId, productKey, after, BATCH)
    const list = await findList(db, companyId, productKey)
    if (waits.length === 0 || list === undefined || list.left_count === 0) return
    for (const { id, entitlement_company_id, entitlement_id } of waits) {
      const viewer = { companyId: entitlement_company_id, customerId: null }
      await inTransaction(db, (tx) => readSoftwareKey(tx, viewer, String(entitlement_id), now(companyId)))
      after = id
    }
  }
}

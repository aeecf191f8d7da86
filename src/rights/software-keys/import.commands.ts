import { sql } from 'kysely'
import { recordChange } from '#history/audit/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import type { Author } from '#platform/identity/caller.ts'
import { tokenHash } from '#platform/identity/crypto.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { keyIsGiven } from './errors.ts'
import { GIVE_KEYS } from './jobs.ts'
import { presentImport } from './present.ts'
import { getListedKey, getSoftware, lockList } from './queries.ts'
import { readKeys } from './rules.ts'
import type { Import } from './state.ts'

/** Adds keys to the list of a product. From then on its customers get keys of the list alone. */
export async function importKeys(
  tx: Tx,
  author: Author,
  ref: string,
  keys: readonly string[],
  now: Date,
): Promise<Written<Import>> {
  const { companyId } = author
  const product = await getSoftware(tx, companyId, ref)
  const { byForm, repeated } = readKeys(keys)
  await createList(tx, companyId, product.id)
  const byHash = new Map([...byForm].map(([form, key]) => [tokenHash(form).toString('hex'), key]))
  const added = await insertKeys(tx, companyId, product.id, byHash, now)
  const list = await noteImport(tx, companyId, product.id, added.size)
  if (added.size > 0) await enqueue(tx, { kind: GIVE_KEYS, companyId, data: { product_key: product.id } }, now)
  await recordChange(tx, author, 'software keys imported', `${added.size} × ${product.title}`.slice(0, 200), now)
  const known = [...byHash].filter(([hash]) => !added.has(hash)).map(([, key]) => key)
  const state = { imported: added.size, duplicates: [...known, ...repeated], list }
  return { state, document: asciiJson(presentImport(state)) }
}

/** Takes a key that nobody has off the list of a product. */
export async function deleteKey(tx: Tx, author: Author, ref: string, keyRef: string, now: Date): Promise<void> {
  const { companyId } = author
  const product = await getSoftware(tx, companyId, ref)
  // Keys of one product are given one after another, and not while one is taken away.
  await lockList(tx, companyId, product.id)
  const key = await getListedKey(tx, companyId, product.id, keyRef)
  if (key.given_at !== null) throw keyIsGiven()
  await tx.deleteFrom('software_keys').where('company_id', '=', companyId).where('id', '=', key.id).execute()
  await tx
    .updateTable('software_key_lists')
    .set((set) => ({ left_count: set('left_count', '-', 1) }))
    .where('company_id', '=', companyId)
    .where('product_key', '=', product.id)
    .execute()
  // The key itself is a secret, also of those who read the audit log.
  await recordChange(tx, author, 'software key deleted', `${product.title} (${key.id})`.slice(0, 200), now)
}

async function createList(tx: Tx, companyId: number, productKey: number): Promise<void> {
  await tx
    .insertInto('software_key_lists')
    .values({
      company_id: companyId,
      product_key: productKey,
      left_count: 0,
      given_count: 0,
      full_count: 0,
      warned: 'none',
    })
    .onConflict((conflict) => conflict.columns(['company_id', 'product_key']).doNothing())
    .execute()
}

/** The hashes of the keys that are new. The keys get their ids in the order in which they are sent. */
async function insertKeys(
  tx: Tx,
  companyId: number,
  productKey: number,
  byHash: ReadonlyMap<string, string>,
  now: Date,
): Promise<Set<string>> {
  const { rows } = await sql<{ hash: string }>`insert into software_keys
      (company_id, product_key, key_hash, key, imported, created_at)
    select ${companyId}, ${productKey}, decode(new.hash, 'hex'), new.key, true, ${now}::timestamptz
    from unnest(${[...byHash.keys()]}::text[], ${[...byHash.values()]}::text[]) with ordinality as new (hash, key, place)
    order by new.place
    on conflict (key_hash) do nothing returning encode(key_hash, 'hex') as hash`.execute(tx)
  return new Set(rows.map(({ hash }) => hash))
}

/** The owner is warned anew when a list that was filled runs out again. */
async function noteImport(tx: Tx, companyId: number, productKey: number, count: number): Promise<Import['list']> {
  const { rows } = await sql<
    Columns<'software_key_lists', 'left_count' | 'given_count'>
  >`update software_key_lists set left_count = left_count + ${count},
      full_count = case when ${count}::int > 0 then left_count + ${count} else full_count end,
      warned = case when ${count}::int > 0 then 'none' else warned end
    where company_id = ${companyId} and product_key = ${productKey} returning left_count, given_count`.execute(tx)
  return rows[0] ?? { left_count: 0, given_count: 0 }
}

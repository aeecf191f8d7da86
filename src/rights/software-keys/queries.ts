import { sql } from 'kysely'
import { productIsMirrored, productNotFound } from '#catalog/products/errors.ts'
import { findProductKeys, productsOf } from '#catalog/products/queries.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import { tokenHash } from '#platform/identity/crypto.ts'
import { type Asked as AskedEntitlement, lockEntitlement, type Viewer } from '#rights/entitlements/queries.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { keyNotFound, keyReplaced, keyUnknown, noKeyForThis, productHasNoKeys } from './errors.ts'
import { isSoftware } from './rules.ts'
import type { ActivationState, GivenKey, KeyList } from './state.ts'

/** Every read of keys starts here, so none can forget the company, which is the owner of the product. */
export function keysOf(db: Db, companyId: number) {
  return db.selectFrom('software_keys').where('software_keys.company_id', '=', companyId)
}

/** Every read of lists of keys starts here, so none can forget the company. */
export function listsOf(db: Db, companyId: number) {
  return db
    .selectFrom('software_key_lists')
    .where('software_key_lists.company_id', '=', companyId)
    .selectAll('software_key_lists')
    .$narrowType<Pick<KeyList, 'warned'>>()
}

/** Every read of those who wait for a key starts here, so none can forget the company. */
function waitsOf(db: Db, companyId: number) {
  return db.selectFrom('software_key_waits').where('software_key_waits.company_id', '=', companyId)
}

/** Every read of activations starts here, so none can forget the company. */
function activationsOf(db: Db, companyId: number) {
  return db.selectFrom('software_activations').where('software_activations.company_id', '=', companyId)
}

const GIVEN = ['company_id', 'id', 'key', 'entitlement_company_id', 'entitlement_id', 'given_at', 'ended_at'] as const

/** The columns of a key that was given are never null. */
type Given = { entitlement_company_id: number; entitlement_id: number; given_at: Date }

/** The key that an entitlement has now. */
export function findKeyOf(
  db: Db,
  { content_company_id, company_id, id }: EntitlementState,
): Promise<GivenKey | undefined> {
  return keysOf(db, content_company_id)
    .select(GIVEN)
    .where('entitlement_company_id', '=', company_id)
    .where('entitlement_id', '=', id)
    .where('ended_at', 'is', null)
    .$narrowType<Given>()
    .executeTakeFirst()
}

/** The key that a program sends says whose entitlement is meant. */
const findByHash = prepare((db: Db, hash: Buffer) =>
  db
    .selectFrom('software_keys')
    .select(GIVEN)
    .where('key_hash', '=', hash)
    .where('entitlement_id', 'is not', null)
    .$narrowType<Given>()
    .compile(),
)

/** The entitlement of a key. Keys that nobody has yet are as unknown as those that were never there. */
export async function getHolder(db: Db, key: string): Promise<{ viewer: Viewer; ref: string }> {
  const [found] = await findByHash(db, tokenHash(key))
  if (found === undefined) throw keyUnknown()
  if (found.ended_at !== null) throw keyReplaced()
  return { viewer: { companyId: found.entitlement_company_id, customerId: null }, ref: String(found.entitlement_id) }
}

/** getHolder that locks the entitlement. The key may have been replaced while this waited for the lock. */
export async function lockHolder(tx: Tx, key: string): Promise<{ viewer: Viewer; ref: string }> {
  const { viewer, ref } = await getHolder(tx, key)
  await lockEntitlement(tx, viewer, ref)
  return getHolder(tx, key)
}

/** An entitlement of software, locked until the transaction ends. */
export async function lockSoftware(tx: Tx, viewer: Viewer, ref: string): Promise<AskedEntitlement> {
  const asked = await lockEntitlement(tx, viewer, ref)
  if (!isSoftware(asked.entitlement.product_type)) throw noKeyForThis(asked.entitlement.title)
  return asked
}

/** A product that can have a list of keys; a mirrored one uses the list of its original. */
export async function getSoftware(
  db: Db,
  companyId: number,
  ref: string,
): Promise<{ id: number; product_id: string; title: string }> {
  const key = (await findProductKeys(db, companyId, [ref])).get(ref)
  const product = await productsOf(db, companyId)
    .select(['products.id', 'products.product_id', 'products.title', 'products.product_type', 'products.mirrored'])
    .where('products.id', '=', key ?? 0)
    .executeTakeFirst()
  if (product === undefined) throw productNotFound(ref)
  if (product.mirrored) throw productIsMirrored(product.title)
  if (!isSoftware(product.product_type)) throw productHasNoKeys(product.title)
  return product
}

/** The names of a product that may be deleted by now. */
export function findProductNames(
  db: Db,
  companyId: number,
  productKey: number,
): Promise<{ product_id: string; title: string } | undefined> {
  return productsOf(db, companyId)
    .select(['products.product_id', 'products.title'])
    .where('products.id', '=', productKey)
    .executeTakeFirst()
}

export function findList(db: Db, companyId: number, productKey: number): Promise<KeyList | undefined> {
  return listsOf(db, companyId).where('product_key', '=', productKey).executeTakeFirst()
}

/** findList that locks the row: keys of one product are given one after another. */
export function lockList(tx: Tx, companyId: number, productKey: number): Promise<KeyList | undefined> {
  return listsOf(tx, companyId).where('product_key', '=', productKey).forUpdate().executeTakeFirst()
}

/** Those who wait for a key of a product, from the one who has waited longest. */
export function readWaits(
  db: Db,
  companyId: number,
  productKey: number,
  after: number,
  limit: number,
): Promise<{ id: number; entitlement_company_id: number; entitlement_id: number }[]> {
  return waitsOf(db, companyId)
    .select(['id', 'entitlement_company_id', 'entitlement_id'])
    .where('product_key', '=', productKey)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** How many wait for a key longer than this entitlement does. */
export async function countAhead(
  db: Db,
  { content_company_id, content_key, company_id, id }: EntitlementState,
): Promise<number> {
  const own = waitsOf(db, content_company_id)
    .select('id')
    .where('entitlement_company_id', '=', company_id)
    .where('entitlement_id', '=', id)
  const row = await waitsOf(db, content_company_id)
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('product_key', '=', content_key)
    .where((where) => where('id', '<', where.fn.coalesce(own, sql<number>`9223372036854775807`)))
    .executeTakeFirst()
  return row?.count ?? 0
}

const ACTIVATION = [
  'software_activations.fingerprint',
  'software_activations.name',
  'software_activations.activated_at',
] as const

/** The activations of an entitlement, oldest first, without those on devices that the customer has removed. */
export function readActivations(db: Db, companyId: number, entitlementId: number): Promise<ActivationState[]> {
  return activationsOf(db, companyId)
    .innerJoin('devices', (join) =>
      join
        .onRef('devices.company_id', '=', 'software_activations.company_id')
        .onRef('devices.customer_id', '=', 'software_activations.customer_id')
        .onRef('devices.device_id', '=', 'software_activations.fingerprint')
        .on('devices.removed_at', 'is', null),
    )
    .select(ACTIVATION)
    .where('software_activations.entitlement_id', '=', entitlementId)
    .orderBy('software_activations.activated_at')
    .orderBy('software_activations.fingerprint')
    .execute()
}

export function findActivation(
  db: Db,
  companyId: number,
  entitlementId: number,
  fingerprint: string,
): Promise<ActivationState | undefined> {
  return activationsOf(db, companyId)
    .select(ACTIVATION)
    .where('software_activations.entitlement_id', '=', entitlementId)
    .where('software_activations.fingerprint', '=', fingerprint)
    .executeTakeFirst()
}

/** How many imported keys of a product are left, and how many were given. Without a list there are none. */
export async function countKeys(
  db: Db,
  companyId: number,
  ref: string,
): Promise<Pick<KeyList, 'left_count' | 'given_count'>> {
  const { id } = await getSoftware(db, companyId, ref)
  return (await findList(db, companyId, id)) ?? { left_count: 0, given_count: 0 }
}

/** A key of a product; one of another product is not found. */
export async function getListedKey(
  db: Db,
  companyId: number,
  productKey: number,
  ref: string,
): Promise<{ id: number; given_at: Date | null }> {
  const key = /^\d{1,15}$/.test(ref)
    ? await keysOf(db, companyId)
        .select(['software_keys.id', 'software_keys.given_at'])
        .where('software_keys.product_key', '=', productKey)
        .where('software_keys.id', '=', Number(ref))
        .executeTakeFirst()
    : undefined
  if (key === undefined) throw keyNotFound(ref)
  return key
}

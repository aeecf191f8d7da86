import { categoryBelowItself, categoryUnknown } from '#catalog/category-tree/errors.ts'
import { findCategoryIds, lockHierarchy, readChildIds, readParentId } from '#catalog/category-tree/queries.ts'
import { removePictures, savePictures } from '#catalog/pictures/commands.ts'
import { lockUploads } from '#catalog/pictures/queries.ts'
import { refreshProducts } from '#catalog/products/commands.ts'
import { deleteEntries, insertEntries, orderEntries } from '#catalog/products/entries.commands.ts'
import { productUnknown } from '#catalog/products/errors.ts'
import { noteChanges } from '#catalog/products/mirrors/commands.ts'
import { findProductKeys, lockProductRows } from '#catalog/products/queries.ts'
import { shopChanged } from '#history/events/shop-changes.cache.ts'
import { adjustCounter } from '#platform/db/counters.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { FieldReport, validationFailed } from '#platform/errors/problem.ts'
import type { Caller } from '#platform/identity/caller.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { presentCategory } from './present.ts'
import {
  CATEGORIES,
  type CategoryEntryRow,
  getCategoryDocument,
  lockCategory,
  readCategories,
  readEntries,
} from './queries.ts'
import { changeCategory, newCategory, partIdsFor, placed } from './rules.ts'
import type { CategoryInput, CategoryMove } from './schema.ts'
import type { CategoryState } from './state.ts'

/** How many product documents are updated at once when a category changes. */
const REFRESH_BATCH = 500

/** Creates a category. */
export async function createCategory(
  tx: Tx,
  caller: Pick<Caller, 'companyId'>,
  input: CategoryInput,
  now: Date,
): Promise<Written<CategoryState>> {
  const { companyId } = caller
  const { takeRowId, takePartId: takeId } = await takeIds(tx, CATEGORIES, 1, partIdsFor(input))
  const takeUpload = await lockUploads(tx, companyId, picturesIn(input))
  const category = newCategory(companyId, takeRowId(), input, { now, takeId, takeUpload })
  await checkNewParent(tx, category)
  shopChanged(tx, companyId)
  await tx.insertInto('categories').values(columns(category)).execute()
  await savePictures(tx, companyId, { category_id: category.id }, [], category.pictures, now)
  await adjustCounter(tx, companyId, CATEGORIES, 1)
  if (input.entries !== undefined) await replaceEntries(tx, category, input.entries, takeId, now)
  return { state: category, document: await getCategoryDocument(tx, companyId, String(category.id)) }
}

/** Changes the fields that the body names. */
export async function updateCategory(
  tx: Tx,
  caller: Pick<Caller, 'companyId'>,
  ref: string,
  input: CategoryInput,
  now: Date,
): Promise<Written<CategoryState>> {
  const { companyId } = caller
  if (input.parent_id !== undefined) await prepareMove(tx, companyId, ref, input.parent_id)
  const before = await lockCategory(tx, companyId, ref)
  const { takePartId: takeId } = await takeIds(tx, CATEGORIES, 0, partIdsFor(input))
  const takeUpload = await lockUploads(tx, companyId, picturesIn(input))
  const after = changeCategory(before, input, { now, takeId, takeUpload })
  if (after.parent_id !== before.parent_id) await checkParent(tx, after)
  await saveCategory(tx, after)
  await savePictures(tx, companyId, { category_id: after.id }, before.pictures, after.pictures, now)
  if (input.entries !== undefined) await replaceEntries(tx, after, input.entries, takeId, now)
  if (after.enabled !== before.enabled) await noteProducts(tx, after, now)
  return { state: after, document: await getCategoryDocument(tx, companyId, ref) }
}

/**
 * Puts a category at a place among those of a parent, and numbers these anew. Whoever moves it need not know how they were
 * numbered, and two who move at the same time take turns.
 */
export async function moveCategory(
  tx: Tx,
  { companyId }: Pick<Caller, 'companyId'>,
  ref: string,
  { parent_id, position }: CategoryMove,
  now: Date,
): Promise<Written<CategoryState>> {
  const parents = await lockHierarchy(tx, companyId)
  const before = await lockCategory(tx, companyId, ref)
  const parentId = parent_id === undefined ? before.parent_id : parent_id
  const moved = { ...before, parent_id: parentId, updated_at: now }
  if (parentId !== before.parent_id) await checkParent(tx, moved)
  const ids = [...parents].filter(([id, parent]) => parent === parentId && id !== moved.id).map(([id]) => id)
  for (const category of placed(await readCategories(tx, companyId, ids), moved, position))
    await saveCategory(tx, category)
  return { state: moved, document: await getCategoryDocument(tx, companyId, ref) }
}

const picturesIn = ({ locales = [] }: CategoryInput) => locales.map(({ src }) => src)

/** Removes a category. Its children move up to its parent; its products stay. */
export async function deleteCategory(tx: Tx, caller: Pick<Caller, 'companyId'>, ref: string, now: Date): Promise<void> {
  const { companyId } = caller
  await lockHierarchy(tx, companyId)
  await lockEntries(tx, companyId, ref)
  const category = await lockCategory(tx, companyId, ref, 'removal')
  const children = await readCategories(tx, companyId, await readChildIds(tx, companyId, category.id))
  for (const child of children) await saveCategory(tx, { ...child, parent_id: category.parent_id, updated_at: now })
  const entries = await readEntries(tx, companyId, category.id)
  await removePictures(
    tx,
    companyId,
    category.pictures.map(({ id }) => id),
    now,
  )
  shopChanged(tx, companyId)
  await tx.deleteFrom('categories').where('company_id', '=', companyId).where('id', '=', category.id).execute()
  await adjustCounter(tx, companyId, CATEGORIES, -1)
  await refreshInBatches(
    tx,
    companyId,
    entries.map(({ product_key }) => product_key),
    now,
  )
}

/** Products of a disabled category are not offered to other companies, so their mirrors have to be updated. */
async function noteProducts(tx: Tx, { company_id, id }: CategoryState, now: Date): Promise<void> {
  const entries = await readEntries(tx, company_id, id)
  await noteChanges(
    tx,
    company_id,
    entries.map(({ product_key }) => product_key),
    now,
  )
}

/** Updates a category's document after a change of something it shows. */
export async function refreshCategory(tx: Tx, companyId: number, id: number): Promise<void> {
  await saveCategory(tx, await lockCategory(tx, companyId, String(id)))
}

export async function saveCategory(tx: Tx, category: CategoryState): Promise<void> {
  shopChanged(tx, category.company_id)
  await tx
    .updateTable('categories')
    .set(columns(category))
    .where('company_id', '=', category.company_id)
    .where('id', '=', category.id)
    .execute()
}

function columns({ pictures, ...category }: CategoryState) {
  return {
    ...category,
    locales: JSON.stringify(category.locales),
    document: asciiJson(presentCategory({ ...category, pictures })),
  }
}

/** A move locks the hierarchy before the category itself, so that moves queue up and cannot deadlock. */
async function prepareMove(tx: Tx, companyId: number, ref: string, parentId: number | null): Promise<void> {
  const current = await readParentId(tx, companyId, ref)
  if (current !== undefined && current !== parentId) await lockHierarchy(tx, companyId)
}

/** Locks products before their category, as a change of a product does; in the other order the two could deadlock. */
async function lockEntries(tx: Tx, companyId: number, ref: string): Promise<void> {
  if (!/^\d{1,15}$/.test(ref)) return
  const entries = await readEntries(tx, companyId, Number(ref))
  const keys = entries.map(({ product_key }) => product_key)
  if (keys.length > 0) await lockProductRows(tx, companyId, keys)
}

/** A new category has no children, so its parent only has to exist. */
async function checkNewParent(tx: Tx, { company_id, parent_id }: CategoryState): Promise<void> {
  if (parent_id === null || (await findCategoryIds(tx, company_id, [parent_id])).has(parent_id)) return
  throw validationFailed('parent_id', categoryUnknown())
}

/** The parent must exist, and must not be the category itself or below it. */
async function checkParent(tx: Tx, { company_id, id, parent_id }: CategoryState): Promise<void> {
  if (parent_id === null) return
  const parents = await lockHierarchy(tx, company_id)
  if (!parents.has(parent_id)) throw validationFailed('parent_id', categoryUnknown())
  for (let above: number | null = parent_id; above !== null; above = parents.get(above) ?? null) {
    if (above === id) throw validationFailed('parent_id', categoryBelowItself())
  }
}

type EntryInput = NonNullable<CategoryInput['entries']>

async function replaceEntries(
  tx: Tx,
  category: CategoryState,
  sent: EntryInput,
  takeId: () => number,
  now: Date,
): Promise<void> {
  const { company_id: companyId, id } = category
  const seen = await readEntries(tx, companyId, id)
  const wanted = await wantedProducts(tx, companyId, seen, sent)
  const foreseen = compareEntries(seen, wanted)
  if (foreseen.unchanged) return
  // A change of a product writes its entries again, so products that only move are locked too.
  const concerned = [...foreseen.removed.map(({ product_key }) => product_key), ...wanted]
  await lockProductRows(tx, companyId, concerned)
  // A product may have been added or removed by another request before it was locked.
  const { removed, added } = compareEntries(await readEntries(tx, companyId, id), wanted)
  await deleteEntries(
    tx,
    companyId,
    removed.map((entry) => entry.id),
  )
  await insertEntries(
    tx,
    added.map((product_key) => ({
      company_id: companyId,
      id: takeId(),
      category_id: id,
      product_key,
      position: 0,
      created_at: now,
    })),
  )
  await orderEntries(tx, companyId, id, [...wanted])
  await refreshInBatches(tx, companyId, [...removed.map(({ product_key }) => product_key), ...added], now)
}

function compareEntries(before: CategoryEntryRow[], wanted: Set<number>) {
  const keys = before.map(({ product_key }) => product_key)
  const old = new Set(keys)
  return {
    unchanged: keys.length === wanted.size && [...wanted].every((key, index) => key === keys[index]),
    removed: before.filter(({ product_key }) => !wanted.has(product_key)),
    added: [...wanted].filter((key) => !old.has(key)),
  }
}

/** The products that a body names, each by the id of an entry it has read, by `product_id` or by numeric id. */
async function wantedProducts(
  tx: Tx,
  companyId: number,
  before: { id: number; product_key: number }[],
  sent: EntryInput,
): Promise<Set<number>> {
  const known = new Map(before.map((entry) => [entry.id, entry.product_key]))
  const keys = await findProductKeys(
    tx,
    companyId,
    sent.flatMap(({ product_id }) => product_id ?? []),
  )
  const report = new FieldReport()
  const wanted = new Set<number>()
  for (const [index, entry] of sent.entries()) {
    const key = entry.product_id === undefined ? known.get(entry.id ?? 0) : keys.get(entry.product_id)
    if (key === undefined) report.add(`entries[${index}].product_id`, productUnknown('this shop'))
    else wanted.add(key)
  }
  report.throwIfAny()
  return wanted
}

async function refreshInBatches(tx: Tx, companyId: number, keys: number[], now: Date): Promise<void> {
  for (let start = 0; start < keys.length; start += REFRESH_BATCH) {
    await refreshProducts(tx, companyId, keys.slice(start, start + REFRESH_BATCH), now)
  }
}

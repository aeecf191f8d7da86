import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { categoryUnknown } from '#catalog/category-tree/errors.ts'
import { findCategoryIds } from '#catalog/category-tree/queries.ts'
import { type RemovedPictures, removePictures, savePictures } from '#catalog/pictures/commands.ts'
import { lockUploads } from '#catalog/pictures/queries.ts'
import { priceUnknown } from '#catalog/prices/errors.ts'
import { emit } from '#history/events/emit.commands.ts'
import { shopChanged } from '#history/events/shop-changes.cache.ts'
import { adjustCounter } from '#platform/db/counters.ts'
import type { Tx } from '#platform/db/database.ts'
import { anyOf } from '#platform/db/expressions.ts'
import { takeIds } from '#platform/db/ids.ts'
import { asOneStatement } from '#platform/db/writes.ts'
import { FieldReport, Problem, validationFailed } from '#platform/errors/problem.ts'
import type { Caller } from '#platform/identity/caller.ts'
import type { Written } from '#platform/wire/written.ts'
import { changeProduct, newProduct, partIdsFor, picturesIn } from './changes.rules.ts'
import {
  licenseUnknown,
  mirrorNotIncludable,
  notIncludable,
  productIdTaken,
  productIsMirrored,
  productNoLongerOffered,
  productUnknown,
  termNoLongerValid,
} from './errors.ts'
import { mailTextsOf } from './mail-texts.queries.ts'
import { noteChanges } from './mirrors/commands.ts'
import { asksForMoreThanPublishing } from './mirrors/rules.ts'
import { changedIncluded, changedTerms, type Term } from './parts/rules.ts'
import { presentProduct } from './present.ts'
import {
  findProductKeys,
  findTerms,
  findTypes,
  isProductIdTaken,
  lockProduct,
  lockProducts,
  PRODUCTS,
} from './queries.ts'
import {
  columns,
  documentOf,
  entriesOf,
  eventData,
  insertAll,
  insertProduct,
  insertProducts,
  type PartTable,
  positioned,
  saveMirrors,
  writeDocuments,
} from './rows.commands.ts'
import { mayBeIncluded } from './rules.ts'
import type { ProductInput } from './schema.ts'
import { isFoundOtherwise } from './search/terms.rules.ts'
import { saveWords } from './search/words.commands.ts'
import type { ProductState } from './state.ts'
import { warningsOf } from './warnings.rules.ts'

/** Creates a product. */
export async function createProduct(
  tx: Tx,
  caller: Pick<Caller, 'companyId'>,
  input: ProductInput,
  now: Date,
): Promise<Written<ProductState>> {
  const { companyId } = caller
  const { takeRowId, takePartId } = await takeIds(tx, PRODUCTS, 1, partIdsFor(input))
  const takeUpload = await lockUploads(tx, companyId, picturesIn(input))
  const product = newProduct(companyId, takeRowId(), randomProductId(), input, { now, takeId: takePartId, takeUpload })
  if (input.product_id !== undefined && (await isProductIdTaken(tx, companyId, product.product_id)))
    throw validationFailed('product_id', productIdTaken())
  await checkReferences(tx, undefined, product, input)
  const document = documentOf(product)
  const mail_texts = JSON.stringify(await mailTextsOf(product.locales))
  const row = { ...columns(product), document, mail_texts }
  const isChosen = input.product_id !== undefined
  if (isChosen) await insertChosen(tx, row)
  await asOneStatement(tx, () => [
    isChosen ? undefined : insertProduct(tx, row),
    saveWords(tx, companyId, [product]),
    emit(tx, companyId, 'product/create', now, [eventData(product)]),
    adjustCounter(tx, companyId, PRODUCTS, 1),
  ])
  shopChanged(tx, companyId)
  // Their rows refer to that of the product, so they leave after it.
  await Promise.all([
    saveParts(tx, undefined, product),
    savePictures(tx, companyId, { product_key: product.id }, [], product.pictures, now),
  ])
  return { state: product, document, warnings: warningsOf(product) }
}

/** Adds the row of a product whose `product_id` another request may take after the check. */
function insertChosen(tx: Tx, row: Parameters<typeof insertProduct>[1]): Promise<void> {
  return insertProduct(tx, row).catch((error) => {
    throw error.constraint === 'products_company_id_product_id_key'
      ? validationFailed('product_id', productIdTaken())
      : error
  })
}

/**
 * Creates many products, each with its own creation time, with one statement per table. This is for bulk inserts: it
 * sends nothing to webhooks and fetches no pictures.
 */
export async function createProducts(
  tx: Tx,
  companyId: number,
  inputs: { input: ProductInput; now: Date }[],
): Promise<void> {
  const parts = inputs.reduce((sum, { input }) => sum + partIdsFor(input), 0)
  const { takeRowId, takePartId: takeId } = await takeIds(tx, PRODUCTS, inputs.length, parts)
  const products = inputs.map(({ input, now }) =>
    newProduct(companyId, takeRowId(), randomProductId(), input, { now, takeId }),
  )
  await insertProducts(tx, companyId, products)
}

/**
 * createProduct for many, with few statements. Those that are refused are told why, and do not keep the others from being
 * created. A product that includes others finds those that exist before.
 */
export async function createEach(
  tx: Tx,
  { companyId }: Pick<Caller, 'companyId'>,
  inputs: readonly ProductInput[],
  now: Date,
): Promise<(ProductState | Problem)[]> {
  const parts = inputs.reduce((sum, input) => sum + partIdsFor(input), 0)
  const { takeRowId, takePartId: takeId } = await takeIds(tx, PRODUCTS, inputs.length, parts)
  const takeUpload = await lockUploads(tx, companyId, inputs.flatMap(picturesIn))
  const taken = await findProductKeys(
    tx,
    companyId,
    inputs.flatMap(({ product_id }) => product_id ?? []),
  )
  const made = inputs.map((input) =>
    orProblem(() => {
      const product = newProduct(companyId, takeRowId(), randomProductId(), input, { now, takeId, takeUpload })
      if (taken.has(product.product_id)) throw validationFailed('product_id', productIdTaken())
      return { before: undefined, product, input }
    }),
  )
  const all = made.flatMap((each) => (each instanceof Problem ? [] : referencesOf(each)))
  const found = await findReferences(tx, companyId, {
    categories: all.flatMap(({ categories }) => categories),
    terms: all.flatMap(({ terms }) => terms),
    included: all.flatMap(({ included }) => included),
  })
  const results = made.map((each) => {
    if (each instanceof Problem) return each
    return orProblem(() => {
      assertReferences(each, found)
      return each.product
    })
  })
  const products = results.flatMap((each) => (each instanceof Problem ? [] : each))
  if (products.length === 0) return results
  await insertProducts(tx, companyId, products)
  await emit(tx, companyId, 'product/create', now, products.map(eventData))
  for (const { id, pictures } of products)
    if (pictures.length > 0) await savePictures(tx, companyId, { product_key: id }, [], pictures, now)
  return results
}

/** What a decision comes to, or why it is refused. */
function orProblem<Result>(decide: () => Result): Result | Problem {
  try {
    return decide()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/** Changes the fields that the body names. */
export async function updateProduct(
  tx: Tx,
  caller: Pick<Caller, 'companyId'>,
  ref: string,
  input: ProductInput,
  now: Date,
  removed: RemovedPictures = 'deleted',
): Promise<Written<ProductState>> {
  const { companyId } = caller
  const before = await lockProduct(tx, companyId, ref)
  if (before.mirrored) return publishMirror(tx, before, input, now)
  const { takePartId: takeId } = await takeIds(tx, PRODUCTS, 0, partIdsFor(input))
  const takeUpload = await lockUploads(tx, companyId, picturesIn(input))
  const after = changeProduct(before, input, { now, takeId, takeUpload })
  await checkReferences(tx, before, after, input)
  return saveProduct(tx, before, after, now, removed)
}

/** Stores a product as it is after a change, with its parts, and tells apps. */
export async function saveProduct(
  tx: Tx,
  before: ProductState,
  after: ProductState,
  now: Date,
  removed: RemovedPictures = 'deleted',
): Promise<Written<ProductState>> {
  const { company_id: companyId } = after
  const document = documentOf(after)
  const mailTexts =
    after.locales === before.locales ? {} : { mail_texts: JSON.stringify(await mailTextsOf(after.locales)) }
  await tx
    .updateTable('products')
    .set({ ...columns(after), document, ...mailTexts })
    .where('company_id', '=', companyId)
    .where('id', '=', after.id)
    .execute()
  if (isFoundOtherwise(before, after)) await saveWords(tx, companyId, [after])
  await saveParts(tx, before, after)
  await savePictures(tx, companyId, { product_key: after.id }, before.pictures, after.pictures, now, removed)
  await noteChanges(tx, companyId, [after.id], now)
  if (isChanged(before, after, document)) await emit(tx, companyId, 'product/update', now, [eventData(after)])
  return { state: after, document, warnings: warningsOf(after) }
}

/** Does a product show anything new? */
function isChanged(before: ProductState, { updated_at }: ProductState, document: string): boolean {
  return documentOf({ ...before, updated_at }) !== document
}

/** Shows or hides a mirrored product, which is all that its shop may change. */
async function publishMirror(
  tx: Tx,
  mirror: ProductState,
  input: ProductInput,
  now: Date,
): Promise<Written<ProductState>> {
  if (asksForMoreThanPublishing(presentProduct(mirror), input)) throw productIsMirrored(mirror.title)
  const published = input.published ?? mirror.published
  if (published === mirror.published) return { state: mirror, document: documentOf(mirror), warnings: [] }
  if (published && !mirror.valid) throw productNoLongerOffered(mirror.title)
  const after = { ...mirror, published, updated_at: now }
  await saveMirrors(tx, mirror.company_id, [mirror], [after])
  await emit(tx, mirror.company_id, 'product/update', now, [eventData(after)])
  return { state: after, document: documentOf(after), warnings: [] }
}

/** Removes a product with its parts and pictures. */
export async function deleteProduct(tx: Tx, caller: Pick<Caller, 'companyId'>, ref: string, now: Date): Promise<void> {
  await deleteLocked(tx, caller.companyId, [await lockProduct(tx, caller.companyId, ref)], now)
}

/** deleteProduct for many; those that were deleted in the meantime are left out. */
export async function deleteProducts(tx: Tx, companyId: number, keys: number[], now: Date): Promise<void> {
  await deleteLocked(tx, companyId, await lockProducts(tx, companyId, keys), now)
}

async function deleteLocked(tx: Tx, companyId: number, products: ProductState[], now: Date): Promise<void> {
  if (products.length === 0) return
  const keys = products.map(({ id }) => id)
  // A mirrored product shows the pictures of its original, and has none.
  const pictures = products.flatMap((product) => (product.mirrored ? [] : product.pictures.map(({ id }) => id)))
  await removePictures(tx, companyId, pictures, now)
  await noteChanges(tx, companyId, keys, now)
  await tx.deleteFrom('products').where('company_id', '=', companyId).where('id', '=', anyOf(keys)).execute()
  await adjustCounter(tx, companyId, PRODUCTS, -products.length)
  await emit(tx, companyId, 'product/delete', now, products.map(eventData))
}

/** Updates the documents of products after a change of something they show, and emits events. */
export async function refreshProducts(tx: Tx, companyId: number, keys: number[], now: Date): Promise<void> {
  const products = (await lockProducts(tx, companyId, keys)).map((product) => ({ ...product, updated_at: now }))
  await writeDocuments(tx, companyId, products)
  await noteChanges(tx, companyId, keys, now)
  await emit(tx, companyId, 'product/update', now, products.map(eventData))
}

/** Stores documents, mail texts and words again, as they are made now. */
export async function rewriteProducts(tx: Tx, companyId: number, keys: number[]): Promise<void> {
  const products = await lockProducts(tx, companyId, keys)
  await writeDocuments(tx, companyId, products)
  const ids = products.map(({ id }) => id)
  const texts = await Promise.all(products.map(async (product) => JSON.stringify(await mailTextsOf(product.locales))))
  await sql`update products set mail_texts = fresh.mail_texts::json
    from unnest(${ids}::bigint[], ${texts}::text[]) as fresh (id, mail_texts)
    where products.company_id = ${companyId} and products.id = fresh.id`.execute(tx)
}

/** Four groups of four hexadecimal digits. */
export function randomProductId(): string {
  return randomBytes(8)
    .toString('hex')
    .toUpperCase()
    .replace(/(.{4})(?!$)/g, '$1-')
}

const unknownTerm = ({ kind }: Term) => (kind === 'license' ? licenseUnknown() : priceUnknown())

type Change = { before: ProductState | undefined; product: ProductState; input: Pick<ProductInput, 'categories'> }

/** What a body names that has to exist. */
function referencesOf({ before, product, input }: Change) {
  return {
    categories: input.categories === undefined ? [] : product.categories.map(({ category_id }) => category_id),
    terms: changedTerms(before?.bindings ?? [], product.bindings),
    included: changedIncluded(before?.included ?? [], product.included),
  }
}

type References = ReturnType<typeof referencesOf>

async function findReferences(tx: Tx, companyId: number, { categories, terms, included }: References) {
  const [known, knownTerms, types] = await Promise.all([
    categories.length === 0 ? undefined : findCategoryIds(tx, companyId, [...new Set(categories)]),
    terms.length === 0 ? undefined : findTerms(tx, companyId, terms),
    included.length === 0
      ? undefined
      : findTypes(
          tx,
          companyId,
          included.map(({ product_id }) => product_id),
        ),
  ])
  return { categories: known, terms: knownTerms, types }
}

/** Checks that the categories, licenses and prices of a body exist, and reports all that do not at once. */
export async function checkReferences(
  tx: Tx,
  before: ProductState | undefined,
  product: ProductState,
  input: Pick<ProductInput, 'categories'>,
): Promise<void> {
  const change = { before, product, input }
  assertReferences(change, await findReferences(tx, product.company_id, referencesOf(change)))
}

function assertReferences(change: Change, found: Awaited<ReturnType<typeof findReferences>>): void {
  const { terms, included } = referencesOf(change)
  const report = new FieldReport()
  for (const [index, { category_id }] of (change.input.categories ?? []).entries()) {
    if (found.categories !== undefined && category_id !== undefined && !found.categories.has(category_id))
      report.add(`categories[${index}].category_id`, categoryUnknown())
  }
  for (const term of terms) {
    const valid = found.terms?.get(`${term.kind} ${term.id}`)
    if (valid !== true) report.add(term.path, valid === false ? termNoLongerValid() : unknownTerm(term))
  }
  for (const { product_id, path } of included) {
    const type = found.types?.get(product_id)
    if (type === undefined) report.add(path, productUnknown('the shop'))
    else if (type.mirrored) report.add(path, mirrorNotIncludable())
    else if (!mayBeIncluded(type.product_type)) report.add(path, notIncludable())
  }
  report.throwIfAny()
}

/** Writes the parts that live in tables of their own, where they changed. */
async function saveParts(tx: Tx, before: ProductState | undefined, after: ProductState): Promise<void> {
  await Promise.all([
    before?.categories === after.categories || replaceRows(tx, 'category_entries', before, after, entriesOf(after)),
    before?.bindings === after.bindings ||
      replaceRows(tx, 'product_bindings', before, after, positioned(after.bindings)),
    before?.themes === after.themes || replaceRows(tx, 'product_themes', before, after, after.themes),
    before?.groups === after.groups || replaceRows(tx, 'product_groups', before, after, after.groups),
  ])
}

async function replaceRows(
  tx: Tx,
  name: PartTable,
  before: ProductState | undefined,
  product: ProductState,
  rows: object[],
): Promise<void> {
  // The four tables have the product's key in common, which is all that the types below need to know.
  const table = name as 'category_entries'
  const key = { company_id: product.company_id, product_key: product.id }
  await Promise.all([
    before &&
      tx
        .deleteFrom(table)
        .where('company_id', '=', key.company_id)
        .where('product_key', '=', key.product_key)
        .execute(),
    insertAll(
      tx,
      name,
      rows.map((row) => ({ ...row, ...key })),
    ),
  ])
}

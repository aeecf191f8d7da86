import { isDeepStrictEqual } from 'node:util'
import { createCategory, updateCategory } from '#catalog/categories/commands.ts'
import { presentCategory } from '#catalog/categories/present.ts'
import { findCategoryByTitle, lockCategory } from '#catalog/categories/queries.ts'
import { changeCategory } from '#catalog/categories/rules.ts'
import { CategoryInput } from '#catalog/categories/schema.ts'
import { findCategoryIds } from '#catalog/category-tree/queries.ts'
import { changeProduct } from '#catalog/products/changes.rules.ts'
import { createEach, updateProduct } from '#catalog/products/commands.ts'
import { presentProduct } from '#catalog/products/present.ts'
import { findProductKeys, lockProducts } from '#catalog/products/queries.ts'
import { ProductInput } from '#catalog/products/schema.ts'
import type { ProductState } from '#catalog/products/state.ts'
import { warningsOf } from '#catalog/products/warnings.rules.ts'
import { Problem } from '#platform/errors/problem.ts'
import { createCheck } from './check.ts'
import { type Checked, type Context, type Importer, NotImported, renamed, withNewId } from './context.ts'
import type { Entry } from './entries.ts'
import { withKnownIds } from './known-ids.ts'
import { withLinks } from './links.ts'

const checkCategory = createCheck(CategoryInput)
const checkProduct = createCheck(ProductInput)

/** Ids for parts that are only compared. */
const noId = () => 0

/** Products come after categories, so the products of a category are put into it at the end. */
function noteProducts(
  { productsOfCategories }: Context,
  where: string,
  categoryId: number,
  input: CategoryInput,
): void {
  if (input.entries === undefined) return
  const productRefs = input.entries.flatMap(({ product_id }) => product_id ?? [])
  productsOfCategories.push({ where, categoryId, productRefs })
}

export const categories: Importer<CategoryInput> = {
  atOnce: 1,
  isUnique: false,
  read: async ({ newIds }, { value }) => withNewId(checkCategory(value), 'parent_id', newIds.categories),
  keyOf: ({ parent_id, title = '' }) => `${parent_id || 0} ${title}`,
  async find({ tx, companyId }, entries) {
    const found = []
    for (const { imported, input } of entries) {
      const isThere = imported !== undefined && (await findCategoryIds(tx, companyId, [imported])).has(imported)
      const id = isThere
        ? imported
        : await findCategoryByTitle(tx, companyId, input.parent_id || null, input.title ?? '')
      found.push(id === undefined ? undefined : { id })
    }
    return found
  },
  async create(context, { entry, input }) {
    const { tx, companyId, now } = context
    const { entries: _entries, ...category } = withKnownIds({}, input)
    const { state } = await createCategory(tx, { companyId }, category, now)
    noteProducts(context, entry.where, state.id, input)
    return state.id
  },
  async change(context, id, { entry, input }) {
    const { tx, companyId, now } = context
    noteProducts(context, entry.where, id, input)
    const before = await lockCategory(tx, companyId, String(id))
    const { entries: _entries, ...change } = withKnownIds(presentCategory(before), input)
    const after = changeCategory(before, change, { now, takeId: noId })
    if (isDeepStrictEqual(presentCategory(before), presentCategory(after))) return false
    await updateCategory(tx, { companyId }, String(id), change, now)
    return true
  },
}

/** Puts the products of the file into their categories, in the order of the file. */
export async function fillCategory(context: Context, categoryId: number, productRefs: string[]): Promise<void> {
  const { tx, companyId, now, newIds } = context
  const entries = productRefs.map((ref) => ({
    product_id: /^\d{1,15}$/.test(ref) ? String(renamed(Number(ref), newIds.products)) : ref,
  }))
  await updateCategory(tx, { companyId }, String(categoryId), { entries }, now)
}

function withNewIds(product: ProductInput, { categories, licenses, prices }: Context['newIds']): ProductInput {
  return {
    ...product,
    ...(product.categories === undefined
      ? {}
      : { categories: product.categories.map((entry) => withNewId(entry, 'category_id', categories)) }),
    ...(product.price_license_binding === undefined
      ? {}
      : {
          price_license_binding: product.price_license_binding.map((binding) => {
            const licensed = withNewId(binding, 'license_id', licenses)
            return withNewId(withNewId(licensed, 'price_id', prices), 'compare_price_id', prices)
          }),
        }),
  }
}

export const products: Importer<ProductInput> = {
  atOnce: 50,
  isUnique: false,
  keyField: 'handle',
  async read(context, { where, value, links = {} }) {
    const { id, mirrored }: { id?: unknown; mirrored?: unknown } = Object(value)
    if (mirrored === true && typeof id === 'number')
      return new NotImported(id, 'is a product of another company: take it from the marketplace')
    return withLinks(context, where, withNewIds(checkProduct(value), context.newIds), links)
  },
  keyOf: ({ product_id, title = '', locales }) =>
    product_id?.toUpperCase() ?? `title ${title || (locales?.find((locale) => locale.title)?.title ?? '')}`,
  uniqueNameOf: ({ product_id }) => (product_id === undefined ? undefined : `product_id ${product_id.toUpperCase()}`),
  async find(context, entries) {
    const { tx, companyId } = context
    const refs = entries.flatMap(({ input, imported }) => [
      ...(input.product_id === undefined ? [] : [input.product_id]),
      ...(imported === undefined ? [] : [String(imported)]),
    ])
    const keys = refs.length === 0 ? new Map<string, number>() : await findProductKeys(tx, companyId, refs)
    const ids = entries.map(
      ({ input, imported }) => keys.get(input.product_id ?? '') ?? keys.get(String(imported ?? '')),
    )
    const known = ids.filter((id) => id !== undefined)
    const states = known.length === 0 ? [] : await lockProducts(tx, companyId, known)
    context.lockedProducts = new Map(states.map((state) => [state.id, state]))
    return ids.map((id) => (id === undefined ? undefined : { id }))
  },
  async create(context, checked) {
    const [id] = await createProducts(context, [checked])
    if (typeof id !== 'number') throw id
    return id
  },
  createEach: createProducts,
  async change(context, id, { input, entry }) {
    const { tx, companyId, now, lockedProducts, recorder } = context
    const before = lockedProducts.get(id)
    if (before === undefined) throw new Error(`product ${id} is gone`)
    const change = withKnownIds(presentProduct(before), input)
    // A mirrored product has its own rules for changes.
    if (!before.mirrored) {
      const after = changeProduct(before, change, { now: before.updated_at, takeId: noId })
      warn(context, entry, after)
      if (isDeepStrictEqual(presentProduct(before), presentProduct(after))) return false
    }
    const { state } = await updateProduct(tx, { companyId }, String(id), change, now, 'kept for a day')
    recorder?.note({ kind: 'products', id, name: state.title, where: entry.where, before })
    return true
  },
}

async function createProducts(context: Context, all: readonly Checked<ProductInput>[]): Promise<(number | Problem)[]> {
  const { tx, companyId, now, recorder } = context
  const inputs = all.map(({ input }) => withKnownIds({}, input))
  const made = await createEach(tx, { companyId }, inputs, now)
  return made.map((product, index) => {
    const entry = all[index]?.entry
    if (product instanceof Problem) return product
    if (entry !== undefined) {
      warn(context, entry, product)
      recorder?.note({ kind: 'products', id: product.id, name: product.title, where: entry.where })
    }
    return product.id
  })
}

function warn({ warnings }: Context, { where }: Entry, product: ProductState): void {
  warnings.push(...warningsOf(product).map((warning) => ({ where, ...warning })))
}

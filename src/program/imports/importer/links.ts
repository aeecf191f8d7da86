import { isDeepStrictEqual } from 'node:util'
import { createCategory } from '#catalog/categories/commands.ts'
import { findCategoryByTitle } from '#catalog/categories/queries.ts'
import { findLicenseByName } from '#catalog/licenses/queries.ts'
import { createPrice } from '#catalog/prices/commands.ts'
import { readPrices } from '#catalog/prices/queries.ts'
import { licenseUnknown } from '#catalog/products/errors.ts'
import { needsLicense } from '#catalog/products/rules.ts'
import type { ProductInput } from '#catalog/products/schema.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import { rememberImported } from '../keys.commands.ts'
import { findImported } from '../keys.queries.ts'
import type { Context } from './context.ts'
import type { Amount, Links } from './entries.ts'
import { bindingsOf } from './offers.ts'

/** The general license under which content is sold if the file names none. */
const BUY = 'Buy'

/** A product with the price, license and categories that its row names. Lists that the row does not name stay. */
export async function withLinks(
  context: Context,
  where: string,
  input: ProductInput,
  links: Links,
): Promise<ProductInput> {
  const { price, comparePrice, license, offers = [], categories = [] } = links
  const isContent = needsLicense(input.product_type ?? 0)
  const licenseName = license ?? (isContent && price !== undefined ? BUY : undefined)
  const isOffered = price !== undefined || licenseName !== undefined
  const binding = {
    license_id: licenseName === undefined ? null : await licenseId(context, licenseName),
    price_id: price === undefined ? null : await priceId(context, where, price),
    compare_price_id: comparePrice === undefined ? null : await priceId(context, where, comparePrice),
  }
  const categoryIds = []
  for (const path of categories) categoryIds.push(await categoryId(context, where, path))
  return {
    ...input,
    ...(offers.length > 0
      ? { price_license_binding: await bindingsOf(context, offers) }
      : isOffered
        ? { price_license_binding: [binding] }
        : {}),
    ...(categoryIds.length === 0
      ? {}
      : { categories: [...new Set(categoryIds)].map((category_id) => ({ category_id })) }),
  }
}

async function licenseId({ tx, companyId, found }: Context, name: string): Promise<number> {
  const known = found.licenses.get(name)
  if (known !== undefined) return known
  const id = /^\d{1,15}$/.test(name) ? Number(name) : await findLicenseByName(tx, companyId, name)
  if (id === undefined) throw validationFailed('license', licenseUnknown())
  found.licenses.set(name, id)
  return id
}

/**
 * The price model of an amount, which is called by it and created once. Somebody may have given it other prices since:
 * then there is a new one.
 */
async function priceId(context: Context, where: string, { cents, currency }: Amount): Promise<number> {
  const { tx, companyId, author, now, found } = context
  const title = `${(cents / 100).toFixed(2)} ${currency}`
  const known = found.prices.get(title)
  if (known !== undefined) return known
  const imported = (await findImported(tx, companyId, 'prices', [title])).get(title)
  const [model] = imported === undefined ? [] : await readPrices(tx, companyId, [imported])
  const wanted = [{ currency: currency.toLowerCase(), cents }]
  const isSame =
    model !== undefined &&
    model.valid === 1 &&
    model.countries.length === 0 &&
    isDeepStrictEqual(
      model.currencies.map((each) => ({ ...each, currency: each.currency.toLowerCase() })),
      wanted,
    )
  const id = isSame ? model.id : await createModel()
  found.prices.set(title, id)
  return id

  async function createModel(): Promise<number> {
    const input = { title, currencies: [{ currency: currency.toLowerCase(), price: cents }] }
    const { state } = await createPrice(tx, author, input, now)
    await rememberImported(tx, companyId, 'prices', new Map([[title, state.id]]))
    context.recorder?.note({ kind: 'prices', id: state.id, name: title, where })
    return state.id
  }
}

/** The category at the end of a path of titles. Those that do not exist are created. */
async function categoryId(context: Context, where: string, path: readonly string[]): Promise<number> {
  const { tx, companyId, now, found } = context
  let parentId: number | null = null
  for (const [index, title] of path.entries()) {
    const key = path.slice(0, index + 1).join(' > ')
    const known: number | undefined =
      found.categories.get(key) ?? (await findCategoryByTitle(tx, companyId, parentId, title))
    const id: number = known ?? (await createCategory(tx, { companyId }, { title, parent_id: parentId }, now)).state.id
    if (known === undefined) context.recorder?.note({ kind: 'categories', id, name: title, where })
    found.categories.set(key, id)
    parentId = id
  }
  return parentId ?? 0
}

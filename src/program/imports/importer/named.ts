import { findLicenseByName } from '#catalog/licenses/queries.ts'
import { licenseUnknown } from '#catalog/products/errors.ts'
import { findProductKeys, findProductKeysByTitle } from '#catalog/products/queries.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import { findImported } from '../keys.queries.ts'
import type { Context } from './context.ts'

/** What a line calls a product. */
export type ProductNames = { product_id?: string; sku?: string; product?: string }

/** The product of the shop that a line is about: by its id, by what an import called it, or by its title. */
export async function findNamedProduct(
  { tx, companyId, found }: Context,
  called: ProductNames,
): Promise<number | undefined> {
  const names = [called.product_id, called.sku, called.product].map((name) => name ?? '')
  const key = names.join('\n')
  if (!found.sold.has(key)) {
    const [ref = '', sku = '', title = ''] = names
    const byRef = ref === '' ? undefined : (await findProductKeys(tx, companyId, [ref])).get(ref)
    const imported = [sku, title].filter((name) => name !== '')
    const known = imported.length === 0 ? undefined : await findImported(tx, companyId, 'products', imported)
    const bySku = known && (await stillThere(known.get(sku) ?? known.get(title)))
    found.sold.set(key, byRef ?? bySku ?? (await byTitle(title)))
  }
  return found.sold.get(key)

  async function stillThere(id: number | undefined): Promise<number | undefined> {
    return id === undefined ? undefined : (await findProductKeys(tx, companyId, [String(id)])).get(String(id))
  }

  /** Shops write the variant behind the title: `Mug - Large`. */
  async function byTitle(text: string): Promise<number | undefined> {
    for (const name of new Set([text, text.replace(/ - [^-]*$/, '')])) {
      const keys = name === '' ? [] : await findProductKeysByTitle(tx, companyId, name)
      if (keys.length === 1) return keys[0]
    }
    return undefined
  }
}

/** The license that a line names by its name or its id; null if it names none. */
export async function findNamedLicense(
  { tx, companyId }: Context,
  license: string | undefined,
): Promise<number | null> {
  if (license === undefined) return null
  const id = /^\d{1,15}$/.test(license) ? Number(license) : await findLicenseByName(tx, companyId, license)
  if (id === undefined) throw validationFailed('license', licenseUnknown())
  return id
}

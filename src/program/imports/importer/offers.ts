import { findLicenseNamed } from '#catalog/licenses/queries.ts'
import { priceUnknown } from '#catalog/prices/errors.ts'
import { findPriceNamed } from '#catalog/prices/queries.ts'
import { licenseUnknown } from '#catalog/products/errors.ts'
import type { ProductInput } from '#catalog/products/schema.ts'
import { type Fault, validationFailed } from '#platform/errors/problem.ts'
import type { Context } from './context.ts'
import type { Offer } from './entries.ts'

type Bindings = NonNullable<ProductInput['price_license_binding']>

/** The bindings of offers. Licenses and price models have the names that exports write. */
export async function bindingsOf(context: Context, offers: readonly Offer[]): Promise<Bindings> {
  const { tx, companyId, found } = context
  const licenseNamed = createFinder(found.licenseNames, (name) => findLicenseNamed(tx, companyId, name), licenseUnknown)
  const priceNamed = createFinder(found.priceNames, (name) => findPriceNamed(tx, companyId, name), priceUnknown)
  const bindings: Bindings = []
  for (const [index, { license, price, comparePrice, hd, users, audioType }] of offers.entries()) {
    const at = `offers[${index}]`
    bindings.push({
      license_id: await licenseNamed(license, `${at}.offer_license`),
      price_id: await priceNamed(price, `${at}.offer_price`),
      compare_price_id: await priceNamed(comparePrice, `${at}.offer_compare_price`),
      ...(hd === undefined ? {} : { hd }),
      ...(users === undefined ? {} : { num_users: users }),
      ...(audioType === undefined ? {} : { audio_type: audioType }),
    })
  }
  return bindings
}

/** Finds ids by names, each of them once. */
function createFinder(
  known: Map<string, number>,
  find: (name: string) => Promise<number | undefined>,
  unknown: () => Fault,
): (name: string | undefined, path: string) => Promise<number | null> {
  return async (name, path) => {
    if (name === undefined) return null
    const id = known.get(name) ?? (await find(name))
    if (id === undefined) throw validationFailed(path, unknown())
    known.set(name, id)
    return id
  }
}

import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { createCategory } from '#categories/commands.ts'
import { CategoryInput } from '#categories/schema.ts'
import { importCustomer } from '#customers/commands.ts'
import { ImportedCustomer } from '#customers/schema.ts'
import { createDiscountCode } from '#discount-codes/commands.ts'
import { DiscountCodeInput } from '#discount-codes/schema.ts'
import { createLicense } from '#licenses/commands.ts'
import { LicenseInput } from '#licenses/schema.ts'
import { offerProducts } from '#marketplace/commands.ts'
import { OfferInput } from '#marketplace/schema.ts'
import type { Author } from '#platform/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { createReader } from '#platform/http/read-values.ts'
import { COMMAND_LINE } from '#platform/origin.ts'
import type { Written } from '#platform/written.ts'
import { createPrice } from '#prices/commands.ts'
import { PriceInput } from '#prices/schema.ts'
import { createProduct } from '#products/commands.ts'
import { ProductInput } from '#products/schema.ts'
import { createShippingMethod } from '#shipping-methods/commands.ts'
import { ShippingMethodInput } from '#shipping-methods/schema.ts'
import { createTaxRate } from '#tax-rates/commands.ts'
import { TaxRateInput } from '#tax-rates/schema.ts'

/** The new ids of a file's entries, by list: a file may refer to its own entries. */
export type NewIds = { readonly [list: string]: Map<number, number> }

/** The new id of an entry. */
export type Imported = { id: number }

/** Imports one entry. */
export type Importer = (tx: Tx, companyId: number, entry: unknown, now: Date, newIds: NewIds) => Promise<Imported>

/** An entry is read as a request would be: numbers as text, null for what is absent. */
function checked<Input>(schema: TSchema, entry: unknown): Input {
  createReader(schema)?.(entry)
  const [mistake] = Value.Errors(schema, entry)
  if (mistake !== undefined)
    throw new Error(`${mistake.instancePath.slice(1).replaceAll('/', '.') || 'it'} ${mistake.message}.`)
  return entry as Input
}

/** An entry of the same file has a new id; any other id is that of an entry that the company has already. */
function renamed(id: number, newIds: Map<number, number> | undefined): number {
  return newIds?.get(id) ?? id
}

/** The same for an id in a field, which may be missing. */
function withNewId<Field extends string, Entry extends { [Name in Field]?: number | null }>(
  entry: Entry,
  field: Field,
  newIds: Map<number, number> | undefined,
): Entry {
  const id = entry[field]
  return typeof id === 'number' ? { ...entry, [field]: renamed(id, newIds) } : entry
}

/** A product with the new ids of its categories, licenses and prices. */
function withNewIds(product: ProductInput, { categories, licenses, prices }: NewIds): ProductInput {
  return {
    ...product,
    ...(product.categories === undefined
      ? {}
      : {
          categories: product.categories.map((entry) => withNewId(entry, 'category_id', categories)),
        }),
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

const idOf = async (written: Promise<Written<{ id: number }>>): Promise<Imported> => ({ id: (await written).state.id })

/** The operator, for the audit log. */
const by = (companyId: number): Author => ({ companyId, origin: COMMAND_LINE })

/** The lists that a file can contain, in the order in which they are imported. */
export const IMPORTERS: Record<string, Importer> = {
  licenses: (tx, companyId, entry, now) =>
    idOf(createLicense(tx, by(companyId), checked<LicenseInput>(LicenseInput, entry), now)),
  prices: (tx, companyId, entry, now) =>
    idOf(createPrice(tx, by(companyId), checked<PriceInput>(PriceInput, entry), now)),
  categories: (tx, companyId, entry, now, { categories }) => {
    const input = checked<CategoryInput>(CategoryInput, entry)
    return idOf(createCategory(tx, { companyId }, withNewId(input, 'parent_id', categories), now))
  },
  products: (tx, companyId, entry, now, newIds) =>
    idOf(createProduct(tx, { companyId }, withNewIds(checked<ProductInput>(ProductInput, entry), newIds), now)),
  discount_codes: (tx, companyId, entry, now) =>
    idOf(createDiscountCode(tx, by(companyId), checked<DiscountCodeInput>(DiscountCodeInput, entry), now)),
  shipping_methods: (tx, companyId, entry, now, { prices }) => {
    const input = checked<ShippingMethodInput>(ShippingMethodInput, entry)
    return idOf(createShippingMethod(tx, by(companyId), withNewId(input, 'price_id', prices), now))
  },
  tax_rates: (tx, companyId, entry, now) =>
    idOf(createTaxRate(tx, by(companyId), checked<TaxRateInput>(TaxRateInput, entry), now)),
  customers: async (tx, companyId, entry, now) => {
    const input = checked<ImportedCustomer>(ImportedCustomer, entry)
    const { state } = await importCustomer(tx, { companyId }, input, now)
    return { id: state.account.id }
  },
  marketplace: (tx, companyId, entry, now, { categories }) => {
    const input = checked<OfferInput>(OfferInput, entry)
    const category_ids = input.category_ids?.map((id) => renamed(id, categories)) ?? null
    return offerProducts(tx, { companyId }, { ...input, category_ids }, now)
  },
}

import { isDeepStrictEqual } from 'node:util'
import { changeOffer, offerProducts } from '#catalog/marketplace/commands.ts'
import { findOfferOf } from '#catalog/marketplace/queries.ts'
import { OfferInput } from '#catalog/marketplace/schema.ts'
import { findCountry } from '#identity/addresses/countries.facts.ts'
import { importCustomer, updateCustomer } from '#people/customers/commands.ts'
import { findAccountByEmail, findCustomerDocument } from '#people/customers/queries.ts'
import { ImportedCustomer } from '#people/customers/schema.ts'
import { createDiscountCode, updateDiscountCode } from '#selling/discount-codes/commands.ts'
import { presentDiscountCode } from '#selling/discount-codes/present.ts'
import { findDiscountCode, lockDiscountCode } from '#selling/discount-codes/queries.ts'
import { changeDiscountCode, oneSpelling } from '#selling/discount-codes/rules.ts'
import { DiscountCodeInput } from '#selling/discount-codes/schema.ts'
import { createShippingMethod, updateShippingMethod } from '#selling/shipping-methods/commands.ts'
import { presentShippingMethod } from '#selling/shipping-methods/present.ts'
import { lockShippingMethod, readShippingMethods } from '#selling/shipping-methods/queries.ts'
import { changeShippingMethod } from '#selling/shipping-methods/rules.ts'
import { ShippingMethodInput } from '#selling/shipping-methods/schema.ts'
import { createTaxRate, updateTaxRate } from '#selling/tax-rates/commands.ts'
import { presentTaxRate } from '#selling/tax-rates/present.ts'
import { findTaxRateFor, lockTaxRate } from '#selling/tax-rates/queries.ts'
import { changeTaxRate } from '#selling/tax-rates/rules.ts'
import { TaxRateInput } from '#selling/tax-rates/schema.ts'
import { readCustomerParts } from '../undo/uses.queries.ts'
import { createCheck } from './check.ts'
import { type Checked, type Context, type Found, type Importer, renamed, withNewId } from './context.ts'
import { hasAll, withKnownIds } from './known-ids.ts'

const checkCode = createCheck(DiscountCodeInput)
const checkTaxRate = createCheck(TaxRateInput)
const checkMethod = createCheck(ShippingMethodInput)
const checkCustomer = createCheck(ImportedCustomer)
const checkOffer = createCheck(OfferInput)

/** Finds each entry by itself: these lists are short, or have a name that is unique anyway. */
function oneByOne<Input>(find: (context: Context, input: Input) => Promise<number | undefined>) {
  return async (context: Context, entries: readonly Checked<Input>[]): Promise<Found[]> => {
    const found: Found[] = []
    for (const { input } of entries) {
      const id = await find(context, input)
      found.push(id === undefined ? undefined : { id })
    }
    return found
  }
}

export const discountCodes: Importer<DiscountCodeInput> = {
  atOnce: 1,
  isUnique: true,
  read: async (_context, { value }) => checkCode(value),
  keyOf: ({ code }) => oneSpelling(code),
  find: oneByOne(async ({ tx, companyId }, { code }) => (await findDiscountCode(tx, companyId, code))?.id),
  async create({ tx, author, now }, { input }) {
    return (await createDiscountCode(tx, author, input, now)).state.id
  },
  async change({ tx, companyId, author, now }, id, { input }) {
    const before = await lockDiscountCode(tx, companyId, String(id))
    const after = changeDiscountCode(before, input, before.updated_at)
    if (isDeepStrictEqual(presentDiscountCode(before), presentDiscountCode(after))) return false
    await updateDiscountCode(tx, author, String(id), input, now)
    return true
  },
}

export const shippingMethods: Importer<ShippingMethodInput> = {
  atOnce: 1,
  isUnique: true,
  async read({ newIds }, { value }) {
    const { weight_rates, ...method } = withNewId(checkMethod(value), 'price_id', newIds.prices)
    if (weight_rates === undefined) return method
    return { ...method, weight_rates: weight_rates.map((rate) => withNewId(rate, 'price_id', newIds.prices)) }
  },
  keyOf: ({ title }) => title.trim().toLowerCase(),
  find: oneByOne(async ({ tx, companyId }, { title }) => {
    const methods = await readShippingMethods(tx, companyId)
    return methods.find((method) => method.title.toLowerCase() === title.trim().toLowerCase())?.id
  }),
  async create({ tx, author, now }, { input }) {
    return (await createShippingMethod(tx, author, input, now)).state.id
  },
  async change({ tx, companyId, author, now }, id, { input }) {
    const before = await lockShippingMethod(tx, companyId, String(id))
    const after = changeShippingMethod(before, input, before.updated_at)
    if (isDeepStrictEqual(presentShippingMethod(before), presentShippingMethod(after))) return false
    await updateShippingMethod(tx, author, String(id), input, now)
    return true
  },
}

export const taxRates: Importer<TaxRateInput> = {
  atOnce: 1,
  isUnique: true,
  read: async (_context, { value }) => checkTaxRate(value),
  keyOf: ({ country_code, tax_class = 'standard' }) =>
    `${findCountry(country_code)?.code ?? country_code} ${tax_class}`,
  find: oneByOne(async ({ tx, companyId }, { country_code, tax_class = 'standard' }) => {
    const country = findCountry(country_code)
    return country && (await findTaxRateFor(tx, companyId, country.code, tax_class))?.id
  }),
  async create({ tx, author, now }, { input }) {
    return (await createTaxRate(tx, author, input, now)).state.id
  },
  async change({ tx, companyId, author, now }, id, { input }) {
    const before = await lockTaxRate(tx, companyId, String(id))
    const after = changeTaxRate(before, input, before.updated_at)
    if (isDeepStrictEqual(presentTaxRate(before), presentTaxRate(after))) return false
    await updateTaxRate(tx, author, String(id), input, now)
    return true
  },
}

type AddressInput = NonNullable<ImportedCustomer['addresses']>[number]

/** A country has three names in an address, any of which may be written in many ways: the code stands for all. */
function withOneCountry({ country, country_name, country_code, ...address }: AddressInput): AddressInput {
  const written = country_code || country || country_name
  return written ? { ...address, country_code: findCountry(written)?.code ?? written } : address
}

export const customers: Importer<ImportedCustomer> = {
  atOnce: 1,
  isUnique: true,
  read: async (_context, { value }) => checkCustomer(value),
  keyOf: ({ email }) => email.toLowerCase(),
  keyField: 'email',
  find: oneByOne(async ({ tx, companyId }, { email }) => {
    const account = await findAccountByEmail(tx, email)
    const document = account && (await findCustomerDocument(tx, companyId, account.id))
    return document === undefined ? undefined : account?.id
  }),
  async create({ tx, companyId, now, recorder }, { input, entry }) {
    const { account } = (await importCustomer(tx, { companyId }, withKnownIds({}, input), now)).state
    recorder?.note({ kind: 'customers', id: account.id, name: account.email, where: entry.where })
    return account.id
  },
  /** A customer's email address is the key, and the password is the customer's own: neither changes. */
  async change({ tx, companyId, now, recorder }, id, { input, entry }) {
    const { email: _email, password: _password, password_confirmation: _confirmation, ...details } = input
    const document: object = JSON.parse((await findCustomerDocument(tx, companyId, id)) ?? '{}')
    const addresses = details.addresses?.map(withOneCountry)
    const change = withKnownIds(document, addresses === undefined ? details : { ...details, addresses })
    if (hasAll(document, change)) return false
    const before = recorder && (await readCustomerParts(tx, companyId, [id])).get(id)
    if (before !== undefined) recorder?.note({ kind: 'customers', id, name: input.email, where: entry.where, before })
    await updateCustomer(tx, { companyId }, String(id), change, { passwordHash: undefined, limits: [] }, '', now)
    return true
  },
}

export const marketplace: Importer<OfferInput> = {
  atOnce: 1,
  isUnique: true,
  async read({ newIds }, { value }) {
    const input = checkOffer(value)
    const category_ids = input.category_ids?.map((id) => renamed(id, newIds.categories)) ?? null
    return { ...input, category_ids }
  },
  keyOf: () => 'the entry',
  find: oneByOne(async ({ tx, companyId }) => (await findOfferOf(tx, companyId))?.id),
  async create({ tx, companyId, now }, { input }) {
    return (await offerProducts(tx, { companyId }, input, now)).state.id
  },
  async change({ tx, companyId, now }, _id, { input }) {
    if (hasAll(await findOfferOf(tx, companyId), input)) return false
    await changeOffer(tx, { companyId }, input, now)
    return true
  },
}

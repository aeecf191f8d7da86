import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { readForSale } from '#catalog/products/sale/queries.ts'
import { isContent } from '#catalog/products/types.facts.ts'
import { importCustomer } from '#people/customers/commands.ts'
import { findOwnCustomer, lockCustomer } from '#people/customers/queries.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import { Email, Text, TimeInput } from '#platform/wire/schema.ts'
import { readTime } from '#platform/wire/times.ts'
import { givePastSale } from '#rights/redemption-codes/past-sales/commands.ts'
import { readRedeemed } from '#rights/redemption-codes/past-sales/queries.ts'
import { saleProductUnknown } from '../errors.ts'
import { createCheck } from './check.ts'
import { type Context, type Importer, NotImported } from './context.ts'
import { findNamedLicense, findNamedProduct } from './named.ts'

const QUANTITY_MAX = 100

const SaleInput = Type.Object({
  email: Email('Who bought it.'),
  first_name: Type.Optional(Text(100, 'First name.')),
  last_name: Type.Optional(Text(100, 'Last name.')),
  language: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2}$', description: 'Language of the customer.' })),
  order_number: Type.Optional(Text(100, 'Number of the order in the other shop.')),
  sold_at: TimeInput('When it was sold.'),
  product: Type.Optional(Text(1000, 'What it was called in the other shop.')),
  product_id: Type.Optional(Text(50, 'The product of this shop.')),
  sku: Type.Optional(Text(200, 'Its number in the other shop.')),
  license: Type.Optional(Text(200, 'The name or id of the license; that of the first offer without it.')),
  quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: QUANTITY_MAX, description: 'How many.' })),
})

type SaleInput = Static<typeof SaleInput>
type Sale = SaleInput & { productKey: number; license_id: number | null }

const checkSale = createCheck(SaleInput)

/**
 * Sales of another shop. Customers get what they bought, with its date; it is no order of this shop, so nothing is charged,
 * counted or mailed.
 */
export const sales: Importer<Sale> = {
  atOnce: 1,
  isUnique: false,
  async read(context, { value }) {
    const input = checkSale(value)
    const key = await findNamedProduct(context, input)
    if (key === undefined) throw validationFailed('product', saleProductUnknown())
    const product = (await readForSale(context.tx, context.companyId, [String(key)], context.now)).get(String(key))
    if (product !== undefined && !isContent(product.product_type))
      return new NotImported(0, 'goods and services were delivered: there is nothing to give', 'sale_of_goods')
    return { ...input, productKey: key, license_id: await findNamedLicense(context, input.license) }
  },
  /** The same line of the same order is given once. Without a number, the day of the sale stands for it. */
  keyOf: ({ order_number, sold_at, email, productKey: key }) =>
    [order_number ?? `${sold_at} ${hashOf(email.toLowerCase())}`, key].join(' '),
  async find({ tx, companyId }, entries) {
    const ids = entries.flatMap(({ imported }) => imported ?? [])
    const codes = new Set((ids.length === 0 ? [] : await readRedeemed(tx, companyId, ids)).map(({ id }) => id))
    return entries.map(({ imported }) => (imported !== undefined && codes.has(imported) ? { id: imported } : undefined))
  },
  async create(context, { input, entry }) {
    const { tx, companyId, now, recorder } = context
    const known = await findOwnCustomer(tx, companyId, 'email', input.email)
    const { email, first_name, last_name, language } = input
    const details = {
      email,
      ...(first_name === undefined ? {} : { first_name }),
      ...(last_name === undefined ? {} : { last_name }),
      ...(language === undefined ? {} : { language }),
    }
    const made = known === undefined ? (await importCustomer(tx, { companyId }, details, now)).state.account : undefined
    if (made !== undefined) recorder?.note({ kind: 'customers', id: made.id, name: made.email, where: entry.where })
    const { account } = await lockCustomer(tx, companyId, String(made?.id ?? known?.customer_id))
    const product = (await readForSale(tx, companyId, [String(input.productKey)], now)).get(String(input.productKey))
    if (product === undefined) throw validationFailed('product', saleProductUnknown())
    const soldAt = readTime(input.sold_at)
    const id = await givePastSale(
      tx,
      companyId,
      account,
      {
        product,
        license_id: input.license_id,
        quantity: input.quantity ?? 1,
        soldAt: soldAt > now ? now : soldAt,
        note: noteOf(context, input),
      },
      now,
    )
    recorder?.note({ kind: 'redemption_codes', id, name: `${product.title}, ${account.email}`, where: entry.where })
    return id
  },
  /** What was given stays as it is: a second import of the same order changes nothing. */
  change: async () => false,
}

/** Where it was sold, and under which number. */
function noteOf({ origin }: Context, { order_number, sold_at }: SaleInput): string {
  return [origin ?? 'Past sale', order_number, sold_at.slice(0, 10)].filter((part) => part !== undefined).join(', ')
}

/** The key outlives the customer, so it must not have the address. */
function hashOf(email: string): string {
  return createHash('sha256').update(email).digest('base64url').slice(0, 16)
}

import { findCountry } from '#companies/countries.ts'
import { readRates } from '#currency-rates/queries.ts'
import type { AccountState } from '#customers/state.ts'
import { lockDiscountCodes } from '#discount-codes/queries.ts'
import type { DiscountCodeState } from '#discount-codes/state.ts'
import { reportUnstorable } from '#locales/rules.ts'
import type { Tx } from '#platform/db/database.ts'
import { FieldReport } from '#platform/problem.ts'
import { readForSale } from '#products/sale/queries.ts'
import type { ForSale } from '#products/sale/state.ts'
import { readShippingMethods } from '#shipping-methods/queries.ts'
import { noRate } from './errors.ts'
import {
  checkCurrency,
  checkTotal,
  chooseCodes,
  chooseLines,
  chooseShipping,
  type DraftedOrder,
  draftOrder,
  type Sale,
} from './pricing.ts'
import { countryOf, shippingAddress } from './rules.ts'
import { type Counter, openCounter } from './sale-context.ts'
import type { OrderInput } from './schema.ts'

const NO_RATES = new Map<string, number>()

/** What an order names, read together before anything is decided. */
export type Named = Counter & { products: Map<string, ForSale>; codes: Map<string, DiscountCodeState> }

/** Reads what an order names, in one round trip: seller, shop and ids, the products, the codes, which are held. */
export async function readNamed(tx: Tx, companyId: number, input: OrderInput): Promise<Named> {
  const codes = (input.discount_codes ?? []).map(({ code }) => code)
  const refs = new Set(input.line_items.map(({ product_id }) => product_id.trim()))
  const [counter, products, known] = await Promise.all([
    openCounter(tx, companyId, input.theme_setting_id ?? 0, input.line_items.length + 1),
    readForSale(tx, companyId, [...refs]),
    lockDiscountCodes(tx, companyId, codes),
  ])
  return { ...counter, products, codes: known }
}

/** Decides what is bought for how much, and refuses what can't be: with all that is wrong at once. */
export async function draft(
  tx: Tx,
  input: OrderInput,
  named: Named,
  account: AccountState,
  now: Date,
): Promise<DraftedOrder> {
  const report = new FieldReport()
  const { password: _password, customer: _customer, ...texts } = input
  reportUnstorable(texts, report)
  const currency = input.currency?.trim().toUpperCase() || undefined
  checkCurrency(currency, report)
  if (named.shopId === undefined && input.theme_setting_id)
    report.add('theme_setting_id', 'is not a theme setting of the company')
  const country = countryOf(account)
  const sale: Sale = { seller: named.seller, country, destination: country, currency, now }
  const lines = chooseLines(input.line_items, named.products, sale, report)
  const hasGoods = lines.some(({ kind }) => kind === 'physical')
  const { takeId } = named
  const address = shippingAddress(input.shipping_address, account, hasGoods, { takeId, findCountry }, report)
  const destination = address?.country_code || country
  const codes = chooseCodes(input.discount_codes ?? [], named.codes, now, report)
  const method = hasGoods
    ? chooseShipping(
        await readShippingMethods(tx, named.seller.id),
        input.shipping_lines ?? [],
        destination || named.seller.country_code,
        report,
      )
    : undefined
  checkTotal(lines, report)
  report.throwIfAny()
  const wanted = { lines, codes, method }
  const goods = { ...sale, destination }
  const drafted = draftOrder(wanted, goods, NO_RATES) ?? draftOrder(wanted, goods, await readRates(tx))
  if (drafted === undefined) throw noRate()
  return { ...drafted, lines, country, address, shopId: named.shopId ?? 0 }
}

import { findCountry } from '#companies/countries.ts'
import { getSeller } from '#companies/queries.ts'
import type { Seller } from '#companies/state.ts'
import { readRates } from '#currency-rates/queries.ts'
import type { AccountState } from '#customers/state.ts'
import { lockDiscountCodes } from '#discount-codes/queries.ts'
import type { DiscountCodeState } from '#discount-codes/state.ts'
import { reportUnstorable } from '#locales/rules.ts'
import type { Tx } from '#platform/db/database.ts'
import { type TakenIds, takeIds } from '#platform/db/ids.ts'
import { FieldReport } from '#platform/problem.ts'
import { readForSale } from '#products/sale/queries.ts'
import type { ForSale } from '#products/sale/state.ts'
import { readShippingMethods } from '#shipping-methods/queries.ts'
import { findShopId } from '#theme-settings/queries.ts'
import { noRate } from '../errors.ts'
import { ORDERS } from '../queries.ts'
import { countryOf, shippingAddress } from '../rules.ts'
import type { OrderInput } from '../schema.ts'
import {
  checkCurrency,
  checkTotal,
  chooseCodes,
  chooseLines,
  chooseShipping,
  type DraftedOrder,
  draftOrder,
  type Sale,
} from './rules.ts'

const NO_RATES = new Map<string, number>()

/** What an order names, read together before anything is decided. */
export type Named = {
  seller: Seller
  products: Map<string, ForSale>
  codes: Map<string, DiscountCodeState>
  shopId: number | undefined
  ids: TakenIds
}

/** Reads what an order names, in one round trip: the seller, the products, the codes (which are held), the shop, ids. */
export async function readNamed(tx: Tx, companyId: number, input: OrderInput): Promise<Named> {
  const codes = (input.discount_codes ?? []).map(({ code }) => code)
  const [seller, products, known, shopId, ids] = await Promise.all([
    getSeller(tx, companyId),
    readForSale(tx, companyId, [...new Set(input.line_items.map(({ product_id }) => product_id.trim()))]),
    lockDiscountCodes(tx, companyId, codes),
    findShopId(tx, companyId, input.theme_setting_id ?? 0),
    takeIds(tx, ORDERS, 1, input.line_items.length + 1),
  ])
  return { seller, products, codes: known, shopId, ids }
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
  const takeId = named.ids.takePartId
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

import { readCovers } from '#catalog/pictures/queries.ts'
import type { Cover } from '#catalog/pictures/rules.ts'
import { readMailLocales } from '#catalog/products/mail-texts.queries.ts'
import type { MailLocale } from '#catalog/products/state.ts'
import { readShopFace } from '#catalog/theme-settings/queries.ts'
import { getCorrespondent } from '#identity/companies/queries.ts'
import type { Correspondent } from '#identity/companies/state.ts'
import { chooseLocale } from '#identity/languages/rules.ts'
import { findRecipient, type Recipient } from '#people/customers/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { readOrders } from '../queries.ts'
import type { OrderState } from '../state.ts'

/** Everything that a mail about an order needs. */
export type OrderMailContext = {
  order: OrderState
  customer: Recipient
  company: Correspondent
  /** The name of the shop in the language of the customer. */
  shopName: string
  /** The current texts of the products, by key; deleted products have none. */
  locales: Map<number, MailLocale[]>
  /** The first pictures of the products, by key. */
  pictures: Map<number, Cover>
  /** The colour of the shop; empty if it has none. */
  accent: string
}

/** Undefined if there is no customer to write to any more. */
export async function readOrderMailContext(
  db: Db,
  companyId: number,
  orderId: number,
): Promise<OrderMailContext | undefined> {
  const [order] = await readOrders(db, companyId, [orderId])
  if (order === undefined || !order.customer_notification) return undefined
  const keys = [...new Set(order.lines.map(({ product_key }) => product_key))]
  const [customer, company, shop, locales, pictures] = await Promise.all([
    findRecipient(db, companyId, order.customer_id),
    getCorrespondent(db, companyId),
    readShopFace(db, companyId, order.theme_setting_id),
    readMailLocales(db, companyId, keys),
    readCovers(db, companyId, keys),
  ])
  if (customer === undefined) return undefined
  const shopName = chooseLocale(shop.locales, customer.language)?.shop_name.trim() || company.company_name
  return { order, customer, company, shopName, locales, pictures, accent: shop.accent_color }
}

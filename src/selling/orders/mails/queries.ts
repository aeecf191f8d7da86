import { readCovers } from '#catalog/pictures/queries.ts'
import type { Cover } from '#catalog/pictures/rules.ts'
import { readMailLocales } from '#catalog/products/mail-texts.queries.ts'
import type { MailLocale } from '#catalog/products/state.ts'
import { findShopFace, type ShopFace } from '#catalog/theme-settings/queries.ts'
import { senderOf } from '#catalog/theme-settings/sender.present.ts'
import type { Shop } from '#identity/companies/letterhead.mails.ts'
import { getCorrespondent } from '#identity/companies/queries.ts'
import { findRecipient, type Recipient } from '#people/customers/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { readOfOrder } from '#rights/entitlements/queries.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { readOrders } from '../queries.ts'
import type { OrderState } from '../state.ts'

/** Everything that a mail about an order needs. */
export type OrderMailContext = {
  order: OrderState
  customer: Recipient
  /** The shop in the language of the customer. */
  sender: Omit<Shop, 'country'>
  /** Undefined if the shop was deleted. */
  face: ShopFace | undefined
  /** The current texts of the products, by key; deleted products have none. */
  locales: Map<number, MailLocale[]>
  /** The first pictures of the products, by key. */
  pictures: Map<number, Cover & { is_wide: boolean }>
  /** What the lines gave the customer, by the ids of the lines. */
  entitlements: Map<number, EntitlementState[]>
}

/** Undefined if there is no customer to write to any more. */
export async function readOrderMailContext(
  db: Db,
  companyId: number,
  orderId: number,
  baseUrl: string,
): Promise<OrderMailContext | undefined> {
  const [order] = await readOrders(db, companyId, [orderId])
  if (order === undefined) return undefined
  const keys = [...new Set(order.lines.map(({ product_key }) => product_key))]
  const [customer, company, face, locales, pictures, owned] = await Promise.all([
    findRecipient(db, companyId, order.customer_id),
    getCorrespondent(db, companyId),
    findShopFace(db, companyId, order.theme_setting_id),
    readMailLocales(db, companyId, keys),
    readCovers(db, companyId, keys),
    readOfOrder(db, companyId, orderId),
  ])
  if (customer === undefined) return undefined
  const sender = senderOf(company, face, customer.language, baseUrl)
  const entitlements = Map.groupBy(owned, ({ line_id }) => line_id ?? 0)
  return { order, customer, sender, face, locales, pictures, entitlements }
}

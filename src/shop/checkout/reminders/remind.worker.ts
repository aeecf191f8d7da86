import { coverPath } from '#catalog/pictures/present.ts'
import { homeAddress } from '#catalog/theme-settings/domains.rules.ts'
import { findShopByPath, findShopFace } from '#catalog/theme-settings/queries.ts'
import { senderOf } from '#catalog/theme-settings/sender.present.ts'
import { getCorrespondent } from '#identity/companies/queries.ts'
import { findRecipient } from '#people/customers/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Log } from '#platform/log/log.ts'
import type { NewMail } from '#platform/mail/queue.ts'
import { coverOf, partOf } from '#shop/catalog-pages/cards.present.ts'
import { readNamedProducts } from '#shop/catalog-pages/queries.ts'
import { FIRST_PLACE, type Place } from '../abandoned/queries.ts'
import { quoteCart } from '../quotes.queries.ts'
import { summaryOfQuote } from '../summary.present.ts'
import { remindOfCart } from './commands.ts'
import type { ReminderLinks } from './links.secrets.ts'
import { reminderMail } from './mails.ts'
import { listCartsToRemind } from './queries.ts'
import { stopPath } from './rules.ts'
import type { CartToRemind, Reminded } from './state.ts'

const BATCH = 100

export type ReminderWork = { db: Db; log: Log; links: ReminderLinks; baseUrl: string }

/** Reminds the customers of carts that were left, each in a transaction of its own. */
export async function remindCustomers(work: ReminderWork, now: Date, only?: number): Promise<void> {
  let after: Place | undefined = FIRST_PLACE
  while (after !== undefined) {
    const carts: CartToRemind[] = await listCartsToRemind(work.db, now, after, BATCH, only)
    for (const cart of carts) await remind(work, cart, now)
    after = carts.at(-1)
  }
}

/** One cart that cannot be shown must not keep the others from being mailed. */
async function remind(work: ReminderWork, cart: CartToRemind, now: Date): Promise<void> {
  try {
    const mail = await writeReminder(work, cart, now)
    await inTransaction(work.db, (tx) => remindOfCart(tx, cart, mail, now))
  } catch (error) {
    work.log.error({ err: error, company_id: cart.company_id, cart_id: cart.id }, 'a reminder could not be written')
  }
}

/** Undefined: there is nobody to write to, or nothing in the cart is for sale any more. */
async function writeReminder(
  { db, links, baseUrl }: ReminderWork,
  cart: CartToRemind,
  now: Date,
): Promise<NewMail | undefined> {
  const { company_id: companyId, theme_setting_id: shopId } = cart
  const [shop, recipient] = await Promise.all([findShopByPath(db, String(shopId)), findReminded(db, cart)])
  if (shop === undefined || recipient === undefined) return undefined
  const country = cart.details.country || cart.country
  const { quote } = await quoteCart(
    db,
    companyId,
    cart,
    { shopId, currency: cart.currency || shop.currency, country },
    now,
    cart.customer_id === null ? undefined : { companyId, customerId: cart.customer_id, orderIds: null },
  )
  if (quote === undefined) return undefined
  const address = homeAddress(shop, baseUrl)
  const rows = await readNamedProducts(db, companyId, [...new Set(cart.lines.map(({ product_id }) => product_id))])
  const languages = [recipient.language]
  const shown = new Map(rows.map((row) => [row.product_id, partOf(row, { languages, base: address })]))
  const [company, face] = await Promise.all([getCorrespondent(db, companyId), findShopFace(db, companyId, shopId)])
  const covers = new Map(rows.map((row) => [row.product_id, coverOf(row, languages)]))
  return reminderMail({
    sender: senderOf(company, face, recipient.language, baseUrl),
    recipient,
    country,
    summary: summaryOfQuote(quote, shown, languages),
    pictures: quote.draft.lines.map(({ product }) => {
      const cover = covers.get(product.product_id)
      return cover && `${baseUrl}${coverPath(cover)}`
    }),
    cartUrl: `${address}/cart/restore/${links.cartToken(companyId, shopId, cart.id)}`,
    stopUrl: `${baseUrl}${stopPath(links.stopToken(companyId, recipient.email, recipient.language))}`,
  })
}

async function findReminded(db: Db, cart: CartToRemind): Promise<Reminded | undefined> {
  const { company_id: companyId, customer_id, details } = cart
  if (customer_id === null) {
    const language = cart.language.split('-')[0] || 'en'
    // Anybody may have typed the address and the name, so the mail says nothing that was typed.
    return { email: details.email, name: '', language }
  }
  const customer = await findRecipient(db, companyId, customer_id)
  if (customer === undefined) return undefined
  const { email, first_name, last_name, language } = customer
  return { email, name: `${first_name} ${last_name}`, language }
}

import { findShopId } from '#catalog/theme-settings/queries.ts'
import { readSender } from '#catalog/theme-settings/sender.queries.ts'
import type { Shop } from '#identity/companies/letterhead.mails.ts'
import type { MailKind } from '#identity/mail-texts/kinds.facts.ts'
import { readMailTexts } from '#identity/mail-texts/queries.ts'
import { changedTexts } from '#identity/mail-texts/rules.ts'
import type { Db } from '#platform/db/database.ts'
import type { NewMail } from '#platform/mail/queue.ts'
import { readFulfillments } from '#selling/orders/fulfillments/queries.ts'
import { type OrderMailContext, readOrderMailContext } from '#selling/orders/mails/queries.ts'
import type { Parcel } from '#selling/orders/mails/templates.mails.ts'
import { findNewestOrderId, getOrder } from '#selling/orders/queries.ts'
import { findInstructions } from '#selling/payments/queries.ts'
import { noOrderToShow } from './errors.ts'
import { ORDER_PREVIEWS, OTHER_PREVIEWS } from './preview.mails.ts'
import type { PreviewInput } from './schema.ts'

type Asked = { companyId: number; kind: MailKind; language: string; baseUrl: string; now: Date }

/** Whoever sees a preview must not get to the pages of the customer: it has a secret that opens nothing. */
const NO_SECRET = 'preview'

const NO_PARCEL: Parcel = { lines: [], tracking_company: '', tracking_number: '', tracking_template: '' }

/** A mail of a kind as a customer would get it, with an order of the company, and with texts that are not saved yet. */
export async function previewMail(
  db: Db,
  asked: Asked,
  { order_id, texts = [] }: PreviewInput,
): Promise<{ mail: NewMail; orderId: number | null }> {
  const { companyId, kind, language } = asked
  const saved = await readMailTexts(db, companyId, { kind, language })
  const written = { language, texts: changedTexts(saved, texts) }
  const withTexts = (sender: Omit<Shop, 'country'>): Omit<Shop, 'country'> => {
    // What was taken back is not shown either, so the texts of the kind go before those of the others.
    const others = (sender.company.mail_texts ?? []).map((own) =>
      own.language === language
        ? { language, texts: Object.fromEntries(Object.entries(own.texts).filter(([key]) => !(key in saved.texts))) }
        : own,
    )
    return { ...sender, company: { ...sender.company, mail_texts: [...others, written] } }
  }
  const other = OTHER_PREVIEWS[kind]
  if (other !== undefined) {
    const shopId = (await findShopId(db, companyId, 0)) ?? 0
    const { sender } = await readSender(db, { companyId, shopId }, language, asked.baseUrl)
    return { mail: other({ ...asked, sender: withTexts(sender) }), orderId: null }
  }
  const order = await readOrderContext(db, asked, order_id ?? undefined)
  const sender = withTexts(order.sender)
  const [parcel, instructions] = await Promise.all([
    readFulfillments(db, companyId, [order.order]),
    findInstructions(db, companyId),
  ])
  const mail = ORDER_PREVIEWS[kind]?.({
    ...asked,
    sender,
    order: { ...order, sender },
    parcel: parcel[0] ?? NO_PARCEL,
    instructions: instructions ?? '',
  })
  if (mail === undefined) throw noOrderToShow()
  return { mail, orderId: order.order.id }
}

async function readOrderContext(
  db: Db,
  { companyId, language, baseUrl }: Asked,
  orderId: number | undefined,
): Promise<OrderMailContext> {
  const id =
    orderId === undefined ? await findNewestOrderId(db, companyId) : (await getOrder(db, companyId, String(orderId))).id
  const context = id === undefined ? undefined : await readOrderMailContext(db, companyId, id, baseUrl)
  if (context === undefined) throw noOrderToShow()
  const shopId = context.order.theme_setting_id
  const { sender } = await readSender(db, { companyId, shopId }, language, baseUrl)
  return {
    ...context,
    order: { ...context.order, checkout_token: NO_SECRET },
    customer: { ...context.customer, language },
    sender,
  }
}

import { fromShop, type Shop } from '#identity/companies/letterhead.mails.ts'
import type { MailKind } from '#identity/mail-texts/kinds.facts.ts'
import { confirmationMail } from '#people/audience/newsletter/mails.ts'
import { signInMail } from '#people/player-tokens/mails.ts'
import type { NewMail } from '#platform/mail/queue.ts'
import { NO_LICENSE } from '#rights/entitlements/rules.ts'
import { giftMail } from '#rights/redemption-codes/gifts/mails.ts'
import { NO_MEMBERSHIP } from '#rights/redemption-codes/rules.ts'
import { invoiceTemplate } from '#selling/invoices/mails.ts'
import { confirmationTemplate } from '#selling/orders/mails/confirmation.mails.ts'
import type { OrderMailContext } from '#selling/orders/mails/queries.ts'
import {
  cancellationTemplate,
  type Parcel,
  refundTemplate,
  shipmentTemplate,
} from '#selling/orders/mails/templates.mails.ts'
import { orderName } from '#selling/orders/rules.ts'
import { receiptForCustomer } from '#selling/orders/withdrawals/mails.ts'
import { billTemplate } from '#selling/payments/mails.ts'
import { subscriptionTemplate } from '#selling/subscriptions/mails.ts'
import { reminderMail } from '#shop/checkout/reminders/mails.ts'
import { changedMail, type LinkKind, linkMail } from '#shop/sign-in/sessions/mails.ts'

/** What a preview is made with: the shop as the sender, and where links lead that have no secret. */
export type PreviewContext = {
  sender: Omit<Shop, 'country'>
  language: string
  baseUrl: string
  now: Date
}

export type OrderPreview = PreviewContext & { order: OrderMailContext; parcel: Parcel; instructions: string }

const PREVIEWED = 'jane@example.com'
const DAY_MS = 86_400_000

/** Each kind is written by the template that writes it for customers, so that a preview is what they get. */
type OrderMails = Partial<Record<MailKind, (preview: OrderPreview) => NewMail>>

const titlesIn = ({ order }: OrderMailContext) => order.lines.map(({ title }) => title).join(', ')

export const ORDER_PREVIEWS: OrderMails = {
  order_confirmation: ({ order, baseUrl, now }) => confirmationTemplate(order, baseUrl, now),
  common: ({ order, baseUrl, now }) => confirmationTemplate(order, baseUrl, now),
  order_bill: ({ order, instructions, now }) =>
    billTemplate(order, { instructions, end: new Date(now.getTime() + 14 * DAY_MS), now }),
  order_invoice: ({ order, baseUrl }) =>
    invoiceTemplate(order, order.order.order_number || String(order.order.id), baseUrl),
  order_shipment: ({ order, parcel }) => shipmentTemplate(order, parcel),
  order_cancellation: ({ order }) => cancellationTemplate(order),
  order_refund: ({ order, now }) => {
    const made = order.order.refunds.at(-1)
    const { company_id, id, total_cents, home_cents } = order.order
    return refundTemplate(
      order,
      made ?? {
        company_id,
        id: 1,
        order_id: id,
        note: null,
        restock: false,
        amount_cents: total_cents,
        home_cents,
        lines: [],
        transaction_id: 1,
        source_name: 'web',
        status: 'success',
        created_at: now,
      },
    )
  },
  subscription: ({ order, baseUrl, now }) =>
    subscriptionTemplate(
      order,
      {
        mail: 'renewal',
        group: titlesIn(order),
        plan: '',
        date: new Date(now.getTime() + 14 * DAY_MS),
        cents: order.order.total_cents,
        currency: order.order.currency,
        test: false,
      },
      baseUrl,
    ),
  withdrawal: ({ order, sender, language, now }) =>
    receiptForCustomer(sender, order.order, {
      shop_id: order.order.theme_setting_id,
      order: orderName(order.order.id),
      email: order.customer.email,
      goods: titlesIn(order),
      reason: '',
      language,
      received_at: now.toISOString(),
    }),
  cart_reminder: ({ order, sender, language, baseUrl }) =>
    reminderMail({
      sender,
      recipient: { ...order.customer, name: order.customer.first_name, language },
      country: order.order.country_code,
      summary: {
        currency: order.order.currency,
        total: order.order.line_items_cents,
        lines: order.order.lines.map(({ title, license_title, quantity, list_cents }) => ({
          title,
          terms: license_title ?? '',
          quantity,
          total: list_cents,
        })),
      },
      pictures: order.order.lines.map(() => undefined),
      cartUrl: baseUrl,
      stopUrl: baseUrl,
    }),
  gift: ({ order, sender, language, baseUrl }) => {
    const [line] = order.order.lines
    const [owned] = order.entitlements.get(line?.id ?? 0) ?? []
    const { country, ...letter } = giftMail({
      gift: { name: order.customer.first_name, giver: '', message: '', language },
      code: {
        code: 'XXXX-XXXX-XXXX',
        title: line?.title ?? '',
        expires_at: null,
        num_users: null,
        test: false,
        terms: owned?.terms ?? NO_LICENSE,
        contents: [],
        ...NO_MEMBERSHIP,
      },
      shopName: sender.shopName,
      company: sender.company,
      link: baseUrl,
      picture: undefined,
    })
    return fromShop({ ...sender, country }, { to: PREVIEWED, ...letter })
  },
}

const link =
  (kind: LinkKind) =>
  ({ sender, language, baseUrl }: PreviewContext) =>
    linkMail({ ...sender, language }, kind, PREVIEWED, baseUrl)

/** The kinds that are about no order. */
export const OTHER_PREVIEWS: Partial<Record<MailKind, (preview: PreviewContext) => NewMail>> = {
  newsletter: ({ sender, language, baseUrl, now }) =>
    confirmationMail({ email: PREVIEWED, language }, sender, {
      confirm: baseUrl,
      unsubscribe: baseUrl,
      expires: new Date(now.getTime() + DAY_MS),
    }),
  sign_in: link('sign_in'),
  sign_up: link('sign_up'),
  known_account: link('known'),
  password_reset: link('reset'),
  new_email: link('new_email'),
  account_deletion: link('deletion'),
  password_changed: ({ sender, language }) => changedMail({ ...sender, language }, 'password', PREVIEWED),
  email_changed: ({ sender, language }) => changedMail({ ...sender, language }, 'email', PREVIEWED),
  app_access: ({ sender, language, baseUrl }) => {
    const { country, ...letter } = signInMail({
      appName: sender.shopName,
      shopName: sender.shopName,
      company: sender.company,
      language,
      link: baseUrl,
    })
    return fromShop({ ...sender, country }, { to: PREVIEWED, ...letter })
  },
}

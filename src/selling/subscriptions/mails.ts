import { homeAddress, libraryAddress } from '#catalog/theme-settings/domains.rules.ts'
import { fromShop, isReachable } from '#identity/companies/letterhead.mails.ts'
import { findGroup } from '#people/groups/queries.ts'
import { titleIn } from '#people/groups/rules.ts'
import type { Tx } from '#platform/db/database.ts'
import { button, heading, inLine, notice, paragraph } from '#platform/mail/layout.ts'
import { type NewMail, queueMail } from '#platform/mail/queue.ts'
import { type OrderMailContext, readOrderMailContext } from '#selling/orders/mails/queries.ts'
import { wordingOf } from '#selling/orders/mails/templates.mails.ts'
import type { Wording } from '#selling/orders/mails/wording.rules.ts'
import { orderName, orderPath } from '#selling/orders/rules.ts'
import type { OrderState } from '#selling/orders/state.ts'
import { findPlan } from '#selling/plans/queries.ts'
import { textsIn } from '#selling/plans/rules.ts'
import type { MailKind } from './jobs.ts'
import { addDays } from './periods.rules.ts'
import { getSubscription, readPeriods } from './queries.ts'
import { graceDays, isBilled, isLast, nextAmount } from './rules.ts'
import { quoteNextPeriod } from './sale/quote.queries.ts'
import { readSettings } from './settings/queries.ts'
import type { PeriodState, SubscriptionState } from './state.ts'

type Told = { subscription_id: number; mail: MailKind; order_id?: number }

/** Tells a customer of a change of a subscription, in the name of the shop where it was made. */
export async function tellSubscriber(
  tx: Tx,
  companyId: number,
  { subscription_id, mail, order_id }: Told,
  baseUrl: string,
  now: Date,
): Promise<void> {
  const subscription = await getSubscription(tx, companyId, String(subscription_id))
  const [last] = await readPeriods(tx, companyId, subscription_id, 1)
  const context = last && (await readOrderMailContext(tx, companyId, order_id ?? last.order_id, baseUrl))
  if (last === undefined || context === undefined) return
  const { language } = wordingOf(context)
  const [group, plan] = await Promise.all([
    findGroup(tx, companyId, subscription.group_id),
    findPlan(tx, companyId, subscription.next_plan_id ?? subscription.plan_id),
  ])
  const names = {
    group: inLine(group === undefined ? subscription.group_id : titleIn(group, language)),
    plan: plan === undefined ? '' : inLine(textsIn(plan, language).title),
  }
  const letter: Letter = {
    ...names,
    mail,
    date: mail === 'bill_late' ? await graceEnd(tx, last) : dateOf(subscription, mail),
    cents:
      mail === 'welcome' && plan !== undefined
        ? await quoteNextPeriod(tx, subscription, plan, context.order, now)
        : centsOf(context, subscription, mail),
    currency: isAboutOrder(mail) ? context.order.currency : subscription.currency,
    test: subscription.test,
    ...(mail === 'welcome' ? { welcome: welcomeOf(subscription) } : {}),
  }
  const written = subscriptionTemplate(context, letter, baseUrl)
  await queueMail(tx, { ...written, concerns: orderName(context.order.id) }, now)
}

type Names = { group: string; plan: string }

/** What a mail about a subscription says. */
export type Letter = Names & {
  mail: MailKind
  date: Date
  cents: number
  currency: string
  test: boolean
  welcome?: Welcome
}

/** How a membership begins: which text says it, until when it has to be kept, and of which group it is. */
type Welcome = {
  text: 'trial' | 'trial_bill' | 'paid' | 'paid_bill' | 'last'
  committedUntil: Date | null
  groupId: string
}

function welcomeOf(subscription: SubscriptionState): Welcome {
  const { committed_until: committedUntil, group_id: groupId, period_number } = subscription
  const kind = period_number === 0 ? 'trial' : 'paid'
  const text = isLast(subscription) ? 'last' : isBilled(subscription) ? (`${kind}_bill` as const) : kind
  return { text, committedUntil, groupId }
}

export function subscriptionTemplate(context: OrderMailContext, letter: Letter, baseUrl: string): NewMail {
  const { order, customer, sender, face } = context
  const { mail, group, plan, test } = letter
  const words = wordingOf(context)
  const { t } = words
  const values = { group, plan, date: words.date(letter.date), amount: words.money(letter.cents, letter.currency) }
  const isToPay = mail === 'charge_failed' || mail === 'confirm_charge' || mail === 'bill_late'
  const link =
    face && (isToPay ? homeAddress(face, baseUrl, order.visit.host) : libraryAddress(face, baseUrl, order.visit.host))
  const country = words.country(sender.company.country_code, sender.company.country_code)
  const subject = t(`mails.subscription.${mail}.subject`, values)
  return fromShop(
    { ...sender, country },
    {
      to: customer.email,
      subject: test ? `[${t('mails.common.test')}] ${subject}` : subject,
      language: words.language,
      title: t(`mails.subscription.${mail}.title`, values),
      parts: [
        ...(test ? [notice(t('mails.common.test_notice'))] : []),
        paragraph(words.hello(inLine(`${customer.first_name} ${customer.last_name}`))),
        ...textParts(letter, words, values),
        ...(link === undefined || mail === 'ended'
          ? []
          : [
              isToPay
                ? button({
                    label: t(`mails.subscription.${mail}.button`),
                    link: `${link}/${order.gateway === 'Manual' ? 'orders' : 'subscriptions'}/${orderPath(order)}`,
                    hint: t('mails.common.if_button_fails'),
                  })
                : letter.welcome !== undefined
                  ? button({
                      label: t('mails.subscription.welcome.button'),
                      link: `${link}/my-content/memberships/${letter.welcome.groupId}?token=${orderPath(order)}`,
                    })
                  : button({ label: t('mails.subscription.manage'), link: `${link}/${managedAt(letter, order)}` }),
            ]),
        ...(letter.welcome === undefined ? [] : consentParts(order, words)),
        ...(isReachable(sender.company) ? [paragraph(t('mails.common.answer'))] : []),
      ],
    },
  )
}

/** Is the mail about the money of one order, and not about what comes next? */
function isAboutOrder(mail: MailKind): boolean {
  return mail === 'charge_failed' || mail === 'confirm_charge' || mail === 'bill_late' || mail === 'change_failed'
}

/** Until when somebody who has not paid a bill stays a member. */
async function graceEnd(tx: Tx, { company_id, starts_at }: PeriodState): Promise<Date> {
  return addDays(starts_at, graceDays(await readSettings(tx, company_id)))
}

/** The page on which a customer does something about it. */
function managedAt({ mail }: Letter, { subscription_id }: OrderState): string {
  return mail === 'change_failed' && subscription_id !== null
    ? `account/subscriptions/${subscription_id}`
    : 'my-content'
}

/** The day that a mail is about. */
function dateOf({ period_end, ends_at, paused_until, announced_from }: SubscriptionState, mail: MailKind): Date {
  if (mail === 'cancelled') return ends_at ?? period_end
  if (mail === 'paused') return paused_until ?? period_end
  return mail === 'price_changes' ? (announced_from ?? period_end) : period_end
}

/** What the customer has to pay: that of the order, or the price of the next period. */
function centsOf({ order }: OrderMailContext, subscription: SubscriptionState, mail: MailKind): number {
  if (isAboutOrder(mail)) return order.total_cents
  return nextAmount(subscription, { starts_at: subscription.announced_from ?? subscription.period_end })
}

function textParts(
  { mail, welcome }: Letter,
  { t, date }: Wording,
  values: Record<'group' | 'plan' | 'date' | 'amount', string>,
) {
  if (mail !== 'welcome') return [paragraph(t(`mails.subscription.${mail}.text`, values))]
  const { text, committedUntil } = welcome ?? { text: 'paid', committedUntil: null }
  return [
    paragraph(t(`mails.subscription.welcome.${text}`, values)),
    paragraph(
      committedUntil === null
        ? t('mails.subscription.welcome.cancel')
        : t('mails.subscription.welcome.cancel_from', { date: date(committedUntil) }),
    ),
  ]
}

/** The consent of the customer has to be confirmed on a durable medium. Orders that cost something do it themselves. */
function consentParts({ withdrawal, total_cents }: OrderState, { t }: Wording) {
  if (withdrawal === null || total_cents > 0) return []
  return [heading(t('mails.order.confirmation.withdrawal')), paragraph(inLine(withdrawal.text))]
}

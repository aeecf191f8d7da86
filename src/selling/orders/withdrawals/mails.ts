import { fromShop, type Shop } from '#identity/companies/letterhead.mails.ts'
import type { Correspondent } from '#identity/companies/state.ts'
import { ownTextsIn } from '#identity/mail-texts/rules.ts'
import { inLine, layOut, lines, paragraph, title } from '#platform/mail/layout.ts'
import type { NewMail } from '#platform/mail/queue.ts'
import { isMailAddress } from '#platform/mail/settings.ts'
import { type Wording, wordingFor } from '../mails/wording.rules.ts'
import { orderName } from '../rules.ts'
import type { OrderState } from '../state.ts'
import type { Declaration } from './state.ts'

/** Confirms to the customer what was declared, and when it came in. */
export function receiptForCustomer(
  sender: Omit<Shop, 'country'>,
  order: OrderState,
  declaration: Declaration,
): NewMail {
  const { company, shopName } = sender
  const words = wordingFor(declaration.language, order.country_code, ownTextsIn(company, declaration.language))
  const { t, language, country } = words
  return fromShop(
    { ...sender, country: country(company.country_code, company.country_code) },
    {
      to: order.email,
      subject: t('mails.withdrawal.subject', { order: orderName(order.id), shop: inLine(shopName) }),
      language,
      title: t('mails.withdrawal.title'),
      parts: [
        paragraph(t('mails.withdrawal.text', { order: orderName(order.id) })),
        lines(detailsOf(declaration, words)),
      ],
    },
  )
}

/** Tells the owner of a declaration; undefined if the company has no email address. */
export function noticeToOwner(
  company: Correspondent,
  order: OrderState | undefined,
  declaration: Declaration,
): NewMail | undefined {
  if (!isMailAddress(company.email)) return undefined
  const words = wordingFor(company.language, company.country_code)
  const { t, language } = words
  const name = order === undefined ? inLine(declaration.order) : orderName(order.id)
  const mail = layOut({
    subject: t('mails.withdrawal.notice.subject', { order: name }),
    language,
    parts: [
      title(t('mails.withdrawal.notice.title')),
      paragraph(
        order === undefined ? t('mails.withdrawal.notice.unknown') : t('mails.withdrawal.notice.text', { order: name }),
      ),
      lines([`${t('mails.withdrawal.details.order')}: ${name}`, ...detailsOf(declaration, words)]),
    ],
  })
  return { companyId: company.id, to: company.email, replyTo: declaration.email, ...mail }
}

function detailsOf({ received_at, email, goods, reason }: Declaration, { t, minute }: Wording): string[] {
  return [
    `${t('mails.withdrawal.details.received')}: ${minute(new Date(received_at))}`,
    `${t('mails.withdrawal.details.email')}: ${inLine(email)}`,
    `${t('mails.withdrawal.details.goods')}: ${inLine(goods)}`,
    ...(reason === '' ? [] : [`${t('mails.withdrawal.details.reason')}: ${inLine(reason)}`]),
  ]
}

import { fromShop } from '#identity/companies/letterhead.mails.ts'
import type { Correspondent } from '#identity/companies/state.ts'
import { inLine, layOut, lines, paragraph, title } from '#platform/mail/layout.ts'
import type { NewMail } from '#platform/mail/queue.ts'
import { isMailAddress } from '#platform/mail/settings.ts'
import { wordsFor } from '../mails/words.ts'
import { orderName } from '../rules.ts'
import type { OrderState } from '../state.ts'
import type { Declaration } from './state.ts'
import { type WithdrawalWords, withdrawalWords } from './words.ts'

type Sender = { company: Correspondent; shopName: string }

/** Confirms to the customer what was declared, and when it came in. */
export function receiptForCustomer(
  { company, shopName }: Sender,
  order: OrderState,
  declaration: Declaration,
): NewMail {
  const { language, country } = wordsFor(declaration.language, order.country_code)
  const words = withdrawalWords(language)
  const sender = { company, shopName, country: country(company.country_code, company.country_code) }
  return fromShop(sender, {
    to: order.email,
    subject: words.subject(orderName(order.id), inLine(shopName)),
    language,
    title: words.title,
    parts: [paragraph(words.text(orderName(order.id))), lines(detailsOf(declaration, words, language))],
  })
}

/** Tells the owner of a declaration; undefined if the company has no e-mail address. */
export function noticeToOwner(
  company: Correspondent,
  order: OrderState | undefined,
  declaration: Declaration,
): NewMail | undefined {
  if (!isMailAddress(company.email)) return undefined
  const { language } = wordsFor(company.language, company.country_code)
  const words = withdrawalWords(language)
  const name = order === undefined ? inLine(declaration.order) : orderName(order.id)
  const mail = layOut({
    subject: words.noticeSubject(name),
    language,
    parts: [
      title(words.noticeTitle),
      paragraph(order === undefined ? words.unknown : words.noticeText(name)),
      lines([`${words.order}: ${name}`, ...detailsOf(declaration, words, language)]),
    ],
  })
  return { companyId: company.id, to: company.email, replyTo: declaration.email, ...mail }
}

function detailsOf(
  { received_at, email, goods, reason }: Declaration,
  words: WithdrawalWords,
  language: string,
): string[] {
  const times = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })
  return [
    `${words.received}: ${times.format(new Date(received_at))}`,
    `${words.email}: ${inLine(email)}`,
    `${words.goods}: ${inLine(goods)}`,
    ...(reason === '' ? [] : [`${words.reason}: ${inLine(reason)}`]),
  ]
}

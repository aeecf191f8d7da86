import { fromShop, type Shop } from '#identity/companies/letterhead.mails.ts'
import type { Correspondent } from '#identity/companies/state.ts'
import { ownTextsIn } from '#identity/mail-texts/rules.ts'
import { inLine, layOut, lines, paragraph, title } from '#platform/mail/layout.ts'
import type { NewMail } from '#platform/mail/queue.ts'
import { isMailAddress } from '#platform/mail/settings.ts'
import { type Wording, wordingFor } from '#selling/orders/mails/wording.rules.ts'
import type { CancellationDeclaration, Outcome } from './state.ts'

/** Confirms to the customer what was declared, when it came in, and when the membership ends. */
export function receiptForCustomer(
  sender: Omit<Shop, 'country'>,
  declaration: CancellationDeclaration,
  outcome: Outcome,
): NewMail {
  const { company, shopName } = sender
  const { language: asked, email, kind } = declaration
  const words = wordingFor(asked, company.country_code, ownTextsIn(company, asked))
  const { t, language, country, date } = words
  return fromShop(
    { ...sender, country: country(company.country_code, company.country_code) },
    {
      to: email,
      subject: t('mails.cancellation.subject', { shop: inLine(shopName) }),
      language,
      title: t('mails.cancellation.title'),
      parts: [
        paragraph(
          outcome.kind === 'cancelled'
            ? t('mails.cancellation.cancelled', { group: inLine(outcome.title), date: date(outcome.ends_at) })
            : t('mails.cancellation.left'),
        ),
        ...(kind === 'extraordinary' ? [paragraph(t('mails.cancellation.important'))] : []),
        lines(detailsOf(declaration, words)),
      ],
    },
  )
}

/** Tells the owner of a declaration; undefined if the company has no email address. */
export function noticeToOwner(
  company: Correspondent,
  declaration: CancellationDeclaration,
  outcome: Outcome,
): NewMail | undefined {
  if (!isMailAddress(company.email)) return undefined
  const words = wordingFor(company.language, company.country_code)
  const { t, language, date } = words
  const name = inLine(declaration.name)
  const mail = layOut({
    subject: t('mails.cancellation.notice.subject', { name }),
    language,
    parts: [
      title(t('mails.cancellation.notice.title')),
      paragraph(
        outcome.kind === 'cancelled'
          ? t('mails.cancellation.notice.cancelled', { group: inLine(outcome.title), date: date(outcome.ends_at) })
          : t('mails.cancellation.notice.left'),
      ),
      ...(declaration.kind === 'extraordinary' ? [paragraph(t('mails.cancellation.notice.important'))] : []),
      lines(detailsOf(declaration, words)),
    ],
  })
  return { companyId: company.id, to: company.email, replyTo: declaration.email, ...mail }
}

function detailsOf(
  { received_at, name, email, number, kind, reason, end }: CancellationDeclaration,
  { t, minute, date }: Wording,
): string[] {
  return [
    `${t('mails.cancellation.details.received')}: ${minute(new Date(received_at))}`,
    `${t('mails.cancellation.details.name')}: ${inLine(name)}`,
    `${t('mails.cancellation.details.email')}: ${inLine(email)}`,
    ...(number === '' ? [] : [`${t('mails.cancellation.details.number')}: ${inLine(number)}`]),
    `${t('mails.cancellation.details.kind')}: ${t(`mails.cancellation.details.${kind}`)}`,
    ...(reason === '' ? [] : [`${t('mails.cancellation.details.reason')}: ${inLine(reason)}`]),
    `${t('mails.cancellation.details.end')}: ${end === '' ? t('mails.cancellation.details.soonest') : date(new Date(`${end}T00:00:00Z`))}`,
  ]
}

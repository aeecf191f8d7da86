import type { Correspondent } from '#identity/companies/state.ts'
import { inLine, layOut, lines, paragraph, title } from '#platform/mail/layout.ts'
import type { NewMail } from '#platform/mail/queue.ts'
import { isMailAddress } from '#platform/mail/settings.ts'
import { languageOf, t } from '#platform/text/messages.ts'
import type { ReviewInput } from './state.ts'

/** Tells the owner of a new review; undefined if the company has no email address. */
export function newReviewMail(
  company: Correspondent,
  productTitle: string,
  { stars, text, name }: ReviewInput,
  isWaiting: boolean,
): NewMail | undefined {
  if (!isMailAddress(company.email)) return undefined
  const language = languageOf(company.language)
  const mail = layOut({
    subject: t(language, 'mails.review.subject', { product: inLine(productTitle) }),
    language,
    parts: [
      title(t(language, 'mails.review.title', { product: productTitle })),
      lines([t(language, 'mails.review.stars', { stars }), name, text].filter(Boolean)),
      paragraph(isWaiting ? t(language, 'mails.review.waiting') : t(language, 'mails.review.shown')),
    ],
  })
  return { companyId: company.id, to: company.email, ...mail }
}

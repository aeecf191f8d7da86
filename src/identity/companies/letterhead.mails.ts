import { inLine, type Look, layOut, masthead, type Part, title as titlePart } from '#platform/mail/layout.ts'
import type { NewMail } from '#platform/mail/queue.ts'
import { isMailAddress } from '#platform/mail/settings.ts'
import type { Correspondent } from './state.ts'

/** The colours of a shop, and the address of its picture, if it has one. */
export type ShopLook = { look?: Look; mark?: string }

/** The sender of a mail to a customer. `country` is the name of the company's country in the language of the mail. */
export type Shop = ShopLook & { company: Correspondent; shopName: string; country: string }

export type Letter = {
  to: string
  subject: string
  language: string
  title: string
  parts: readonly Part[]
  /** The address of a wide picture that leads the mail. */
  picture?: string | undefined
  /** What mail programs show beside the subject. */
  preview?: string | undefined
}

/** Can customers reply to the company? */
export function isReachable({ email }: Pick<Correspondent, 'email'>): boolean {
  return isMailAddress(email)
}

/** Lays out a mail from a shop. The shop is the sender; the company is shown at the end and gets the replies. */
export function fromShop(
  { company, shopName, country, look, mark }: Shop,
  { to, subject, language, title, parts, picture, preview }: Letter,
): NewMail {
  const shop = inLine(shopName)
  const email = isReachable(company) ? company.email : ''
  const imprint = [company.company_name, company.street, `${company.zip} ${company.city}`, country, email].map(inLine)
  const mail = layOut({
    subject,
    language,
    sender: masthead(shop, mark),
    parts: [titlePart(title), ...parts],
    picture,
    preview,
    ...(look === undefined ? {} : { look }),
    imprint: imprint.filter((text) => text !== ''),
  })
  return { companyId: company.id, to, senderName: shop, ...(email === '' ? {} : { replyTo: email }), ...mail }
}

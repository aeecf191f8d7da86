import { getCorrespondent } from '#identity/companies/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { inLine, layOut, lines, paragraph, title } from '#platform/mail/layout.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { isMailAddress } from '#platform/mail/settings.ts'
import { translatorOf } from '#platform/text/messages.ts'
import { findProductNames } from './queries.ts'
import type { Warning } from './state.ts'

/** Warns the owner of a product that its list of keys is running out. A product that was deleted needs no keys. */
export async function warnOfKeys(
  tx: Tx,
  companyId: number,
  { product_key, warning, left }: { product_key: number; warning: Warning; left: number },
  now: Date,
): Promise<void> {
  const company = await getCorrespondent(tx, companyId)
  const product = await findProductNames(tx, companyId, product_key)
  if (product === undefined || !isMailAddress(company.email)) return
  const t = translatorOf(company.language)
  const name = inLine(product.title)
  const mail = layOut({
    subject: t(`mails.software_keys.subject.${warning}`, { product: name }),
    language: t.language,
    parts: [
      title(t(`mails.software_keys.title.${warning}`)),
      paragraph(t(`mails.software_keys.text.${warning}`, { product: name, left })),
      lines([t('mails.software_keys.product', { id: product.product_id })]),
      paragraph(t('mails.software_keys.refill')),
    ],
  })
  await queueMail(tx, { companyId, to: company.email, ...mail }, now)
}

import { getCorrespondent } from '#identity/companies/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { inLine, layOut, lines, paragraph, title } from '#platform/mail/layout.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { isMailAddress } from '#platform/mail/settings.ts'
import { findProductNames } from './queries.ts'
import type { Warning } from './state.ts'
import { keyWords } from './words.ts'

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
  const words = keyWords(company.language)
  const name = inLine(product.title)
  const mail = layOut({
    subject: words.subject[warning](name),
    language: words.language,
    parts: [
      title(words.title[warning]),
      paragraph(warning === 'low' ? words.low(name, left) : words.empty(name)),
      lines([words.product(product.product_id)]),
      paragraph(words.refill),
    ],
  })
  await queueMail(tx, { companyId, to: company.email, ...mail }, now)
}

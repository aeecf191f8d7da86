import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { richText } from '#platform/text/rich-text.ts'
import type { StoredLocale } from './locales/rules.ts'
import type { MailLocale, MailText } from './state.ts'

/** The mail texts of a product, cleaned. This is done when they are written, and not again for every mail. */
export async function mailTextsOf(locales: readonly StoredLocale[]): Promise<MailText[]> {
  const texts: MailText[] = []
  for (const { language, email_text } of locales)
    if (email_text.trim() !== '') texts.push({ language, ...(await richText(email_text)) })
  return texts
}

type MailTextsRow = { id: number; locales: StoredLocale[]; mail_texts: MailText[] | null }

/**
 * The locales of products by their keys, with the texts that they add to mails; deleted ones are left out. A mirrored
 * product has no mail texts of its own, so they are read from its original.
 */
export async function readMailLocales(
  db: Db,
  companyId: number,
  keys: readonly number[],
): Promise<Map<number, MailLocale[]>> {
  const { rows } = await sql<MailTextsRow>`
    select product.id, coalesce(original.locales, product.locales) as locales,
      case when original.id is null then product.mail_texts else original.mail_texts end as mail_texts
    from products as product
    left join product_mirrors as mirror on mirror.company_id = product.company_id and mirror.product_key = product.id
    left join products as original on original.company_id = mirror.owner_id and original.id = mirror.original_key
    where product.company_id = ${companyId} and product.id = any(${keys}::bigint[])`.execute(db)
  const found = rows.map(async ({ id, locales, mail_texts }) => {
    // A product that was written before there were cleaned texts has none.
    const texts = mail_texts ?? (await mailTextsOf(locales))
    return [id, mailLocales(locales, texts)] as const
  })
  return new Map(await Promise.all(found))
}

/** The locales with their mail texts; both parts are empty where there is none. */
function mailLocales(locales: readonly StoredLocale[], texts: readonly MailText[]): MailLocale[] {
  return locales.map(({ language, title }) => {
    const { html = '', text = '' } = texts.find((one) => one.language === language) ?? {}
    return { language, title, mail: { html, text } }
  })
}

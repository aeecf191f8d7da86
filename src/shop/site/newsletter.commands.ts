import { signUp } from '#people/audience/news-recipients/commands.ts'
import { isEmail } from '#people/player-tokens/rules.ts'
import type { Tx } from '#platform/db/database.ts'
import type { ShopVisit } from './state.ts'

const LANGUAGE_LENGTH = 2

/**
 * Signs a visitor up for the newsletter of a shop. The visitor is asked by mail, and is no recipient before that. False if
 * the text is no email address.
 */
export async function signUpVisitor(
  tx: Tx,
  { shop, language }: Pick<ShopVisit, 'shop' | 'language'>,
  email: string,
  baseUrl: string,
  now: Date,
): Promise<boolean> {
  if (!isEmail(email)) return false
  const input = { email, theme_setting_id: shop.id, language: language.slice(0, LANGUAGE_LENGTH) }
  await signUp(tx, { companyId: shop.company_id }, input, baseUrl, now)
  return true
}

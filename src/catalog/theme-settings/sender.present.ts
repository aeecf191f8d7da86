import { coverPath } from '#catalog/pictures/present.ts'
import type { Shop } from '#identity/companies/letterhead.mails.ts'
import type { Correspondent } from '#identity/companies/state.ts'
import { chooseLocale } from '#identity/languages/rules.ts'
import { accentOf } from './accent.rules.ts'
import type { ShopFace } from './queries.ts'

/**
 * A shop as the sender of mails in a language. A shop that was deleted writes in the name of its company. Without an address
 * for its picture it shows its initial.
 */
export function senderOf(
  company: Correspondent,
  face: ShopFace | undefined,
  language: string,
  baseUrl: string | undefined,
): Omit<Shop, 'country'> {
  const name = chooseLocale(face?.locales ?? [], language)?.shop_name.trim()
  return {
    company,
    shopName: name || company.company_name,
    ...(face === undefined || face.accent_color === '' ? {} : { look: accentOf(face.accent_color) }),
    ...(baseUrl === undefined || face === undefined || face.icon === null
      ? {}
      : { mark: `${baseUrl}${coverPath({ company_id: company.id, ...face.icon })}` }),
  }
}

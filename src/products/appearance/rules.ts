import { isPhysical } from '../rules.ts'

/** A license or a price as a binding names it. */
type Term = { valid: boolean }

/** What decides whether a product appears: plain data, with the terms and categories that it names looked up. */
export type Showable = {
  product_type: number
  published: boolean
  valid: boolean
  published_at: Date | null
  pre_sales: boolean
  bindings: readonly { license: Term | null; price: Term | null }[]
  themes: readonly { theme_id: number }[]
  groups: readonly { start_at: Date | null; end_at: Date | null }[]
  categories: readonly { enabled: boolean }[]
}

export type Reason =
  | 'not published'
  | 'no longer valid'
  | 'not released yet'
  | 'no license and price'
  | 'a license is missing'
  | 'a license is no longer valid'
  | 'a price is missing'
  | 'a price is no longer valid'
  | 'not in this theme'
  | 'outside the time of its groups'
  | 'its categories are disabled'

export type Appearance = { appears: true } | { appears: false; because: Reason }

export const ALL_THEMES = -1

/** Is it sold before its release? Only then may its licenses and prices be incomplete. */
function isPreSale({ pre_sales, published_at }: Showable, now: Date): boolean {
  return pre_sales && published_at !== null && published_at > now
}

function isReleased(product: Showable, now: Date): boolean {
  return product.published_at === null || product.published_at <= now || isPreSale(product, now)
}

/** What is missing so that the product can be sold under every one of its bindings. Goods have a price and no license. */
function missingTerms({ product_type, bindings }: Pick<Showable, 'product_type' | 'bindings'>): Reason | null {
  if (bindings.length === 0) return 'no license and price'
  for (const { license, price } of bindings) {
    if (!isPhysical(product_type) && license === null) return 'a license is missing'
    if (license?.valid === false) return 'a license is no longer valid'
    if (price === null) return 'a price is missing'
    if (!price.valid) return 'a price is no longer valid'
  }
  return null
}

/** Without themes of its own a product is in all of them. */
function isInTheme({ themes }: Pick<Showable, 'themes'>, themeId: number): boolean {
  return themes.length === 0 || themes.some(({ theme_id }) => theme_id === ALL_THEMES || theme_id === themeId)
}

/** A product in no category appears, one in several as long as one of them is enabled. */
function isInOpenCategory({ categories }: Pick<Showable, 'categories'>): boolean {
  return categories.length === 0 || categories.some(({ enabled }) => enabled)
}

/** Without groups there is no bound; with groups the time of one of them has to be now. The end is not part of it. */
function isInTimeOfGroups({ groups }: Showable, now: Date): boolean {
  const isNow = ({ start_at, end_at }: Showable['groups'][number]) =>
    (start_at === null || start_at <= now) && (end_at === null || now < end_at)
  return groups.length === 0 || groups.some(isNow)
}

/** Does the product appear in a shop with this theme, and if not, why? The first reason of the list is told. */
export function appearsInShop(product: Showable, themeId: number, now: Date): Appearance {
  const because = firstReason(product, themeId, now)
  return because === null ? { appears: true } : { appears: false, because }
}

function firstReason(product: Showable, themeId: number, now: Date): Reason | null {
  if (!product.published) return 'not published'
  if (!product.valid) return 'no longer valid'
  if (!isReleased(product, now)) return 'not released yet'
  const missing = isPreSale(product, now) ? null : missingTerms(product)
  if (missing !== null) return missing
  if (!isInTheme(product, themeId)) return 'not in this theme'
  if (!isInTimeOfGroups(product, now)) return 'outside the time of its groups'
  return isInOpenCategory(product) ? null : 'its categories are disabled'
}

import { letterIcon } from '#platform/pages/mark.ts'
import { primaryLanguage } from '#platform/text/accepted-languages.ts'
import { letterOf } from '../install/manifest.views.ts'
import { NETWORKS } from '../networks.facts.ts'
import { categoryPath } from '../paths.rules.ts'
import { directionOf, inOrder, languagesOf, otherHost, shopOrigin, shopText, textIn, writtenTexts } from '../rules.ts'
import type { NavigationRow, ShopVisit } from '../state.ts'

export type LayoutSource = {
  cartCount: number
  features: Readonly<Record<string, boolean>>
  page: Readonly<Record<string, unknown>>
  /** The requested address, with its query. */
  url: string
  /** Is it a part of another site? */
  isEmbedded: boolean
  host: string
  baseUrl: string
  /** What the owner adds to every page, cleaned. */
  html: unknown
  metaTags: unknown
}

/** The values that the layout and every template and snippet can read. docs/guides/make-a-theme.md lists them. */
export function layoutOf(visit: ShopVisit, source: LayoutSource) {
  const { shop, base, language, customer } = visit
  const [path = '/'] = source.url.split('?')
  const place = path.slice(base.length) || '/'
  const origin = shopOrigin(shop, source.baseUrl)
  // The domain of My Content has no other pages, so links to the shop lead to its own domain.
  const shopBase = shop.kind === 'access_domain' ? origin : base
  const canonical = `${origin}${place}`
  const languages = languagesOf(shop)
  const alternates =
    languages.length > 1 ? languages.map((code) => ({ language: code, url: `${canonical}?lang=${code}` })) : []
  return {
    base,
    shop_base: shopBase,
    language,
    direction: directionOf(language),
    country: visit.country,
    currency: visit.currency,
    shop: { ...shopOf(visit, source.host, shopBase), html: source.html, meta_tags: source.metaTags },
    customer: customer && { email: customer.email, first_name: customer.first_name, last_name: customer.last_name },
    is_guest: visit.guest !== undefined,
    cart: { count: source.cartCount },
    features: source.features,
    navigation: menuOf(visit, place, shopBase),
    languages: languages.map((code) => ({ code, name: nameOfLanguage(code), is_current: code === language })),
    currencies: visit.currencies.map((code) => ({ code, is_current: code === visit.currency })),
    page: { path: place, url: path, canonical, alternates, ...source.page },
    is_preview: visit.isPreview,
    sandbox_time: visit.sandboxTime,
    /** The sites that may show the page without header and footer of the shop; nothing if it has them. */
    embedding: source.isEmbedded ? { origins: shop.frame_origins.join(' ') } : undefined,
  }
}

function shopOf(visit: ShopVisit, host: string, base: string) {
  const { shop, languages, language } = visit
  // A shop without a name is called by its host.
  const name = shopText(shop, languages, 'shop_name')?.text ?? host
  const description = shopText(shop, languages, 'shop_description')
  const message = shopText(shop, languages, 'offline_message')
  return {
    name,
    language,
    company_name: shop.company_name,
    sells_plans: visit.sellsPlans,
    url: `${base}/`,
    icon: shop.icon === null ? letterIconOf(visit, host) : iconPath(shop, '160.webp'),
    has_icon: shop.icon !== null,
    accent_url: shop.accent_color === '' ? undefined : `/assets/accents/${shop.accent_color.slice(1)}.css`,
    title: shopText(shop, languages, 'seo_title')?.text ?? name,
    summary: shopText(shop, languages, 'seo_description')?.text ?? '',
    description: description && paragraphsOf(description),
    offline_message: message && paragraphsOf(message),
    homepage: { url: shop.homepage_url, host: otherHost(shop.homepage_url, host) },
    social: NETWORKS.map(({ name, field }) => ({ name, url: shop[field] })).filter(({ url }) => url !== ''),
    newsletter: shop.newsletter_enabled && shop.kind !== 'access_domain',
    pages: writtenTexts(shop).map((text) => ({
      name: text,
      title_key: `pages.${text}`,
      url: `${base}/pages/${text}`,
    })),
  }
}

function letterIconOf(visit: ShopVisit, host: string): string {
  const { letter, ...colours } = letterOf(visit, host)
  return letterIcon(letter, colours)
}

/** A size of the icon, which has been fetched from the owner's address. */
function iconPath({ company_id, icon }: ShopVisit['shop'], size: string): string {
  const [hash = ''] = (icon?.file ?? '').split('.')
  return `/pictures/${company_id}/${icon?.id}/${hash}_${size}`
}

function paragraphsOf({ text, language }: { text: string; language: string }) {
  return { language, paragraphs: text.split('\n\n') }
}

export type MenuLink = {
  title: string
  url: string
  is_current: boolean
  /** The text that is its title, as a key; nothing if it has a title. */
  title_key: string | undefined
}

/** The menu that the owner has arranged, without what is not there any more; or else the categories at the top. */
function menuOf(visit: ShopVisit, place: string, base: string): MenuLink[] {
  const { shop, languages, navigation } = visit
  if (shop.menu === null) return navigation.map((row) => linkOf(visit, row, place, base))
  const written = writtenTexts(shop)
  return shop.menu.flatMap(({ category_id, page, url, locales }) => {
    const own = textIn(inOrder(locales, languages), 'title')?.text
    const category = navigation.find(({ id }) => id === category_id)
    if (category !== undefined) {
      const link = linkOf(visit, category, place, base)
      return [{ ...link, title: own ?? link.title }]
    }
    if (url !== '') return [{ title: own ?? '', url, is_current: false, title_key: undefined }]
    if (page === null || !written.includes(page)) return []
    const path = `/pages/${page}`
    const title_key = own === undefined ? `pages.${page}` : undefined
    return [{ title: own ?? '', url: `${base}${path}`, is_current: place === path, title_key }]
  })
}

function linkOf({ languages }: ShopVisit, { id, title, locales }: NavigationRow, place: string, base: string) {
  const shown = textIn(inOrder(locales, languages), 'title')?.text ?? title
  const address = `/categories/${id}`
  return {
    title: shown,
    url: `${base}${categoryPath(id, shown)}`,
    is_current: place === address || place.startsWith(`${address}-`),
    title_key: undefined,
  }
}

const NAMES_MAX = 200
const namesOfLanguages = new Map<string, string>()

/** The name of a language in that language, which is how its readers find it. Looking it up takes longer than the rest of a link. */
function nameOfLanguage(code: string): string {
  const known = namesOfLanguages.get(code)
  if (known !== undefined) return known
  const name = new Intl.DisplayNames([code], { type: 'language', fallback: 'code' }).of(code) ?? code
  const shown = name.charAt(0).toLocaleUpperCase(primaryLanguage(code)) + name.slice(1)
  if (namesOfLanguages.size < NAMES_MAX) namesOfLanguages.set(code, shown)
  return shown
}

import { type Picture, type PictureChange, pictureChange } from '#catalog/pictures/rules.ts'
import { mergeLocales } from '#identity/languages/rules.ts'
import type { FieldReport } from '#platform/errors/problem.ts'
import type { LocaleInput } from '../schema.ts'

const SEO_DESCRIPTION_MAX = 160
const SEO_KEYWORDS_MAX = 12
/** The lengths that a caller may send, so that every text that is read can be sent back. */
const SEO_KEYWORDS_LENGTH_MAX = 1000

export type SeoTexts = { seo_title: string; seo_description: string; seo_keywords: string }

/**
 * A stored locale. Search-engine texts that were not written by hand are null, and are generated when they are shown.
 */
export type StoredLocale = {
  id: number
  language: string
  title: string
  description: string
  email_text: string
  product_url: string
  version: string
  picture_id: number | null
} & { [Name in keyof SeoTexts]: string | null }

export type SeoSource = { title: string; words: string[] }

const EMPTY = {
  title: '',
  description: '',
  email_text: '',
  product_url: '',
  version: '',
  picture_id: null,
  seo_title: null,
  seo_description: null,
  seo_keywords: null,
}

/** Tags that separate words; others, such as `<b>`, may be in the middle of a word. */
const BLOCK =
  /<\/?(?:address|article|aside|blockquote|br|dd|div|dl|dt|figure|footer|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|td|th|tr|ul)\b[^<>]*>/gi

/**
 * Turns HTML into plain words, as a search engine shows them. No pattern reaches beyond the next angle bracket, so that
 * a text of nothing but brackets costs no more than any other.
 */
export function plainText(html: string): string {
  return html
    .replace(/<script\b[^<>]*>[\s\S]*?(?:<\/script>|$)/gi, ' ')
    .replace(/<style\b[^<>]*>[\s\S]*?(?:<\/style>|$)/gi, ' ')
    .replace(BLOCK, ' ')
    .replace(/<[^<>]*>/g, '')
    .replace(/&nbsp;/gi, ' ')
    .replace(/&lt;/gi, '<')
    .replace(/&gt;/gi, '>')
    .replace(/&quot;/gi, '"')
    .replace(/&#0?39;|&apos;/gi, "'")
    .replace(/&amp;/gi, '&')
    .replace(/\s+/g, ' ')
    .trim()
}

function shorten(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  // Half of a surrogate pair is no character.
  const cut = text.slice(0, lengthMax - 1).replace(/[\uD800-\uDBFF]$/, '')
  const lastBlank = cut.lastIndexOf(' ')
  return `${(lastBlank > lengthMax / 2 ? cut.slice(0, lastBlank) : cut).trimEnd()}…`
}

/** The search-engine texts of a locale that has none of its own, made from the product. */
export function generateSeo(locale: { title: string; description: string }, product: SeoSource): SeoTexts {
  const title = locale.title || product.title
  const words = [title, ...product.words].map((word) => word.trim()).filter((word) => word !== '')
  return {
    seo_title: title,
    seo_description: shorten(plainText(locale.description) || title, SEO_DESCRIPTION_MAX),
    seo_keywords: keywords([...new Set(words)].slice(0, SEO_KEYWORDS_MAX)),
  }
}

/** As many of the first words as fit. */
function keywords(words: string[]): string {
  let count = words.length
  while (words.slice(0, count).join(', ').length > SEO_KEYWORDS_LENGTH_MAX) count -= 1
  return words.slice(0, count).join(', ')
}

/** The text to store. One that equals the generated text is not stored, so that it keeps following the product. */
function seoText(kept: string | null, sent: string | undefined, generated: string): string | null {
  if (sent === undefined) return kept
  return sent === '' || (kept === null && sent === generated) ? null : sent
}

/** `index` is the position in the body, for error messages. */
export type PictureWish = { localeId: number; index: number; change: PictureChange }

type Context = {
  takeId: () => number
  report: FieldReport
  source: SeoSource
  companyId: number
  pictures: readonly Picture[]
}

/** Merges the locales of a body into those of the product, and returns the pictures that they request. */
export function changeLocales(
  kept: readonly StoredLocale[],
  inputs: readonly LocaleInput[],
  context: Context,
): { locales: StoredLocale[]; wishes: PictureWish[] } {
  const wishes: PictureWish[] = []
  const changes = inputs.map(({ language_id, ...rest }, index) => ({ ...rest, language: language_id, index }))
  const locales = mergeLocales<StoredLocale, (typeof changes)[number]>(
    kept,
    changes,
    (before, change, identity) => {
      const old = before ?? { ...EMPTY, ...identity }
      const generated = generateSeo(old, context.source)
      const picture = context.pictures.find(({ id }) => id === old.picture_id)
      const wish = pictureChange(context.companyId, picture, change.src)
      wishes.push({ localeId: identity.id, index: change.index, change: wish })
      return {
        ...old,
        ...identity,
        title: change.title ?? old.title,
        description: change.description ?? old.description,
        email_text: change.email_text ?? old.email_text,
        product_url: change.product_url ?? old.product_url,
        version: change.version ?? old.version,
        seo_title: seoText(old.seo_title, change.seo_title, generated.seo_title),
        seo_description: seoText(old.seo_description, change.seo_description, generated.seo_description),
        seo_keywords: seoText(old.seo_keywords, change.seo_keywords, generated.seo_keywords),
      }
    },
    { takeId: context.takeId, report: context.report, languageField: 'language_id' },
  )
  return { locales, wishes }
}

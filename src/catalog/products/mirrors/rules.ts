import { OWN_ADDRESS } from '#platform/wire/own-address.ts'
import { parseTime } from '#platform/wire/times.ts'
import { type Product, ProductInput } from '../schema.ts'
import type { ProductState } from '../state.ts'

/** The mail text is for buyers, and a company that mirrors a product has not bought it. Mails read it from the original. */
function withoutMailTexts(locales: ProductState['locales']): ProductState['locales'] {
  return locales.map((locale) => ({ ...locale, email_text: '' }))
}

/**
 * The fields that a mirrored product shows of its original. Comment, supplier and attribute set are private to the
 * owner, and its categories, themes and groups do not exist in another shop.
 */
function shownOf(original: ProductState) {
  return {
    title: original.title,
    version: original.version,
    product_type: original.product_type,
    published_at: original.published_at,
    pre_sales: original.pre_sales,
    has_content: original.has_content,
    drm_protected: original.drm_protected,
    allow_download_trial: original.allow_download_trial,
    runtime: original.runtime,
    gtin: original.gtin,
    weight: original.weight,
    items_in_stock: original.items_in_stock,
    manage_stock: original.manage_stock,
    tax_class: original.tax_class,
    locales: withoutMailTexts(original.locales),
    chapters: original.chapters,
    tagging: original.tagging,
    bindings: original.bindings,
    pictures: original.pictures,
    included: original.included,
  } satisfies Partial<ProductState>
}

export type MirrorIdentity = Pick<ProductState, 'company_id' | 'id' | 'product_id' | 'published'>

/** A product that mirrors the original of another company. Parts keep the ids that they have in the original. */
export function newMirror(original: ProductState, identity: MirrorIdentity, now: Date): ProductState {
  return {
    ...shownOf(original),
    ...identity,
    mirrored: true,
    original: { company_id: original.company_id, id: original.id },
    valid: true,
    created_at: now,
    updated_at: now,
    comment: '',
    supplier: null,
    attribute_set_id: null,
    categories: [],
    themes: [],
    groups: [],
    files: [],
  }
}

/** The standing of an original. `ended` is final: it was deleted, or its owner has withdrawn the offer. */
export type Standing = 'offered' | 'held back' | 'ended'

/**
 * A mirrored product after a change of its original. If the original is held back, the mirror returns as it was. If it
 * has ended, the mirror is hidden, so that shops decide again when the owner offers it a second time, perhaps for more.
 */
export function followOriginal(
  mirror: ProductState,
  original: ProductState | undefined,
  standing: Standing,
): ProductState {
  return {
    ...mirror,
    ...(original === undefined ? { locales: withoutMailTexts(mirror.locales), pictures: [] } : shownOf(original)),
    valid: standing === 'offered',
    published: mirror.published && standing !== 'ended',
  }
}

/** What a change of an original is about, as people say it. Stock is left out: it changes with every sale. */
const SUBJECTS = {
  texts: ({ title, version, locales, tagging, tagging_genre, tagging_people }) => [
    [title, version, tagging, tagging_genre, tagging_people],
    locales.map(({ src: _src, ...texts }) => texts),
  ],
  pictures: ({ preview_pictures, locales }) => [preview_pictures, locales.map(({ src }) => src)],
  terms: ({ price_license_binding, tax_class }) => [price_license_binding, tax_class],
  release: ({ published_at, pre_sales }) => [published_at, pre_sales],
  content: ({ runtime, chapters, allow_download_trial }) => [runtime, chapters, allow_download_trial],
  parts: ({ included_products }) => included_products,
  offer: ({ valid }) => valid,
} satisfies Record<string, (product: Product) => unknown>

export type FollowedChange = keyof typeof SUBJECTS

/** What of a mirrored product is other than before, as its document shows it. */
export function followedChanges(before: Product, after: Product): FollowedChange[] {
  const subjects = Object.entries(SUBJECTS) as [FollowedChange, (product: Product) => unknown][]
  return subjects
    .filter(([, of]) => JSON.stringify(of(before)) !== JSON.stringify(of(after)))
    .map(([subject]) => subject)
}

const NAMES = Object.keys(ProductInput.properties).filter((name) => name !== 'published')

/** Does a body change anything but `published`? Fields that are sent back as they were read change nothing. */
export function asksForMoreThanPublishing(product: Product, input: ProductInput): boolean {
  const shown = new Map<string, unknown>(Object.entries(product))
  const sent = new Map<string, unknown>(Object.entries(input))
  return NAMES.some((name) => sent.get(name) !== undefined && !says(shown.get(name), sent.get(name)))
}

/** Does the sent value agree with the shown one? */
function says(shown: unknown, sent: unknown): boolean {
  if (Array.isArray(sent)) {
    return Array.isArray(shown) && shown.length === sent.length && sent.every((entry, at) => says(shown[at], entry))
  }
  if (typeof sent === 'object' && sent !== null) {
    if (typeof shown !== 'object' || shown === null) return false
    const known = new Map(Object.entries(shown))
    // A field that answers have only where it is set, such as an age: to send nothing for it changes nothing.
    return Object.entries(sent).every(([name, value]) =>
      known.has(name) ? says(known.get(name), value) : value === null || value === false,
    )
  }
  if (typeof sent === 'string' && typeof shown === 'string') return sent === shown || isSameAddressOrTime(shown, sent)
  return sent === shown
}

function isSameAddressOrTime(shown: string, sent: string): boolean {
  if (shown.startsWith(OWN_ADDRESS)) return sent.endsWith(shown.slice(OWN_ADDRESS.length))
  const time = parseTime(sent)
  return time !== undefined && time.getTime() === parseTime(shown)?.getTime()
}

import { OWN_ADDRESS } from '#platform/own-address.ts'
import { parseTime } from '#platform/wire.ts'
import { type Product, ProductInput } from '../schema.ts'
import type { ProductState } from '../state.ts'

/**
 * What a mirrored product shows of its original. The owner's comment, supplier and attribute set are nobody else's
 * business, and its categories, themes and groups mean nothing in another shop.
 */
function shownOf(original: ProductState) {
  return {
    title: original.title,
    version: original.version,
    product_type: original.product_type,
    published_at: original.published_at,
    pre_sales: original.pre_sales,
    drm_protected: original.drm_protected,
    allow_download_trial: original.allow_download_trial,
    runtime: original.runtime,
    gtin: original.gtin,
    weight: original.weight,
    items_in_stock: original.items_in_stock,
    manage_stock: original.manage_stock,
    locales: original.locales,
    chapters: original.chapters,
    tagging: original.tagging,
    bindings: original.bindings,
    pictures: original.pictures,
  } satisfies Partial<ProductState>
}

export type MirrorIdentity = Pick<ProductState, 'company_id' | 'id' | 'product_id' | 'published'>

/** A product of another company that shows the original. Parts keep their ids, so that they stay what they are. */
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
  }
}

/** How an original stands: `ended` is for good, because it is deleted or its owner has withdrawn the offer. */
export type Standing = 'offered' | 'held back' | 'ended'

/**
 * A mirrored product after its original. One that is held back comes back as it was; one that has ended is hidden, so
 * that an owner who offers it anew, maybe for more, does not sell it in other shops without being asked.
 */
export function followOriginal(
  mirror: ProductState,
  original: ProductState | undefined,
  standing: Standing,
): ProductState {
  return {
    ...mirror,
    ...(original === undefined ? { pictures: [] } : shownOf(original)),
    valid: standing === 'offered',
    published: mirror.published && standing !== 'ended',
  }
}

const NAMES = Object.keys(ProductInput.properties).filter((name) => name !== 'published')

/** Does a body ask for anything but publishing? What it sends back as it was read asks for nothing. */
export function asksForMoreThanPublishing(product: Product, input: ProductInput): boolean {
  const shown = new Map<string, unknown>(Object.entries(product))
  const sent = new Map<string, unknown>(Object.entries(input))
  return NAMES.some((name) => sent.get(name) !== undefined && !says(shown.get(name), sent.get(name)))
}

/** Is what was sent a part of what is shown? */
function says(shown: unknown, sent: unknown): boolean {
  if (Array.isArray(sent)) {
    return Array.isArray(shown) && shown.length === sent.length && sent.every((entry, at) => says(shown[at], entry))
  }
  if (typeof sent === 'object' && sent !== null) {
    if (typeof shown !== 'object' || shown === null) return false
    const known = new Map(Object.entries(shown))
    return Object.entries(sent).every(([name, value]) => !known.has(name) || says(known.get(name), value))
  }
  if (typeof sent === 'string' && typeof shown === 'string') return sent === shown || isSameAddressOrTime(shown, sent)
  return sent === shown
}

function isSameAddressOrTime(shown: string, sent: string): boolean {
  if (shown.startsWith(OWN_ADDRESS)) return sent.endsWith(shown.slice(OWN_ADDRESS.length))
  const time = parseTime(sent)
  return time !== undefined && time.getTime() === parseTime(shown)?.getTime()
}

import { isAddressOf, type Picture, type TakeUpload } from '#catalog/pictures/rules.ts'
import { givenTitle } from '#identity/languages/rules.ts'
import { fieldBlank, fieldReadOnly } from '#platform/errors/faults.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { readTime } from '#platform/wire/times.ts'
import { productTypeUnknown } from './errors.ts'
import { changeLocales, type SeoSource } from './locales/rules.ts'
import { changeLocalePictures, changePreviews } from './parts/pictures.rules.ts'
import {
  changeBindings,
  changeChapters,
  changeEntries,
  changeGroups,
  changeIncluded,
  changeTagging,
  changeThemes,
  emptyTagging,
  type Tagging,
} from './parts/rules.ts'
import { allows, checkTypeOnlyFields, hasContent, isProductType, reportMissing } from './rules.ts'
import type { PictureInput, ProductInput } from './schema.ts'
import type { ProductState } from './state.ts'
import { mediumOf } from './types.facts.ts'

export type Change = { now: Date; takeId: () => number; takeUpload?: TakeUpload }

/** At most as many ids as a body can need for parts that are new. */
export function partIdsFor(input: ProductInput): number {
  const lists = Object.values(input).filter((value) => Array.isArray(value))
  return lists.reduce((sum, list) => sum + list.length, 1) + (input.locales?.length ?? 0)
}

/** The addresses of pictures in a body. */
export function picturesIn({ preview_pictures = [], images = [], locales = [] }: ProductInput) {
  return [...preview_pictures, ...images, ...locales].map(({ src }) => src)
}

/** The tags that describe a product beside its title. */
export function seoSource(title: string, tagging: Tagging): SeoSource {
  const people = [...tagging.tagging_director, ...tagging.tagging_script, ...tagging.tagging_people].map(
    ({ person }) => person,
  )
  return { title, words: [...tagging.tagging_genre.map(({ value }) => value), ...people] }
}

/** Creates a product from a body. Throws with all faults of the body at once. */
export function newProduct(
  companyId: number,
  id: number,
  productId: string,
  input: ProductInput,
  change: Change,
): ProductState {
  const report = new FieldReport()
  const type = input.product_type
  reportMissing(input, report)
  if (type !== undefined && !isProductType(type)) report.add('product_type', productTypeUnknown())
  const title = givenTitle(input)
  report.throwIfAny()
  const blank: ProductState = {
    company_id: companyId,
    id,
    product_id: input.product_id?.toUpperCase() ?? productId,
    title,
    version: '',
    comment: '',
    product_type: type ?? 0,
    created_at: change.now,
    updated_at: change.now,
    published_at: change.now,
    published: true,
    pre_sales: false,
    drm_protected: input.drm_protected ?? false,
    allow_download_trial: 0,
    attribute_set_id: null,
    mirrored: false,
    original: null,
    valid: true,
    has_content: hasContent(type ?? 0, []),
    supplier: null,
    runtime: null,
    gtin: null,
    weight: null,
    items_in_stock: null,
    manage_stock: false,
    tax_class: type !== undefined && mediumOf(type) === 'book' ? 'e-book' : 'standard',
    locales: [],
    chapters: [],
    tagging: emptyTagging(change.takeId()),
    categories: [],
    bindings: [],
    themes: [],
    groups: [],
    pictures: [],
    included: [],
    files: [],
  }
  return changeProduct(blank, { ...input, title }, change)
}

/** The product after an update. Absent fields stay, lists are replaced, locales are merged. */
export function changeProduct(before: ProductState, input: ProductInput, change: Change): ProductState {
  const { now } = change
  const report = new FieldReport()
  const type = before.product_type
  if (input.product_type !== undefined && input.product_type !== type)
    report.add('product_type', fieldReadOnly("can't be changed"))
  if (input.title?.trim() === '') report.add('title', fieldBlank())
  reportUnstorable(input, report)
  checkTypeOnlyFields(type, input, report)
  const context = { ...change, report, companyId: before.company_id }
  const tagging = changeTagging(before.tagging, input, context)
  const after: ProductState = {
    ...before,
    ...changedScalars(before, input),
    updated_at: now,
    tagging,
    chapters: input.chapters === undefined ? before.chapters : changeChapters(before.chapters, input.chapters, context),
    categories:
      input.categories === undefined ? before.categories : changeEntries(before.categories, input.categories, context),
    bindings:
      input.price_license_binding === undefined
        ? before.bindings
        : changeBindings(type, before.bindings, input.price_license_binding, context),
    themes: input.themes === undefined ? before.themes : changeThemes(before.themes, input.themes, context),
    groups: input.groups === undefined ? before.groups : changeGroups(before.groups, input.groups, context),
    included:
      input.included_products === undefined
        ? before.included
        : changeIncluded(before.included, input.included_products, context),
    ...changedTexts(before, input, context),
  }
  report.throwIfAny()
  return after
}

/** One list has two names. If a body has both, the one that changes something counts. */
function picturesField(previews: Picture[], input: ProductInput, companyId: number): 'preview_pictures' | 'images' {
  if (input.preview_pictures === undefined) return 'images'
  if (input.images === undefined) return 'preview_pictures'
  return isSameList(previews, input.preview_pictures, companyId) ? 'images' : 'preview_pictures'
}

function isSameList(previews: Picture[], sent: PictureInput[], companyId: number): boolean {
  const ordered = previews.toSorted((a, b) => Number(a.position) - Number(b.position))
  const same = ordered.every((picture, index) => {
    const { id, src } = sent[index] ?? {}
    return (id ? id === picture.id : Boolean(src)) && (!src || isAddressOf(companyId, picture, src))
  })
  return same && sent.length === ordered.length
}

type Context = Change & { report: FieldReport; companyId: number }

function changedTexts(
  before: ProductState,
  input: ProductInput,
  context: Context,
): { locales: ProductState['locales']; pictures: Picture[] } {
  const isPreview = ({ position }: Picture) => position !== null
  const previews = before.pictures.filter(isPreview)
  const ofLocales = before.pictures.filter((picture) => !isPreview(picture))
  const field = picturesField(previews, input, before.company_id)
  const sent = input[field]
  const newPreviews = sent === undefined ? previews : changePreviews(previews, sent, field, context)
  if (input.locales === undefined) return { locales: before.locales, pictures: [...newPreviews, ...ofLocales] }
  const source = seoSource(before.title, before.tagging)
  const { locales, wishes } = changeLocales(before.locales, input.locales, { ...context, source, pictures: ofLocales })
  const illustrated = changeLocalePictures(ofLocales, locales, wishes, context)
  return { locales: illustrated.locales, pictures: [...newPreviews, ...illustrated.pictures] }
}

const orElse = <Value>(sent: Value | undefined, kept: Value): Value => (sent === undefined ? kept : sent)

function changedScalars(before: ProductState, input: ProductInput): Partial<ProductState> {
  const type = before.product_type
  return {
    title: orElse(input.title, before.title),
    version: orElse(input.version, before.version),
    comment: orElse(input.comment, before.comment),
    published: orElse(input.published, before.published),
    published_at:
      input.published_at === undefined
        ? before.published_at
        : input.published_at === null
          ? null
          : readTime(input.published_at),
    pre_sales: orElse(input.pre_sales, before.pre_sales),
    attribute_set_id: orElse(input.attribute_set_id, before.attribute_set_id),
    supplier: orElse(input.supplier, before.supplier),
    tax_class: orElse(input.tax_class, before.tax_class),
    allow_download_trial: allows(type, 'allow_download_trial')
      ? orElse(input.allow_download_trial, before.allow_download_trial)
      : 0,
    runtime: allows(type, 'runtime') ? orElse(input.runtime, before.runtime) : null,
    ...(allows(type, 'manage_stock') ? changedGoods(before, input) : {}),
  }
}

/** A stock level that is sent turns counting on, unless the body says otherwise; counting starts at 0. */
function changedGoods(before: ProductState, input: ProductInput): Partial<ProductState> {
  // A number counts the stock from now on, and null no longer counts it.
  const counted = input.items_in_stock === undefined ? before.manage_stock : input.items_in_stock !== null
  const manage_stock = orElse(input.manage_stock, counted)
  return {
    gtin: orElse(input.gtin, before.gtin),
    weight: orElse(input.weight, before.weight),
    manage_stock,
    items_in_stock: manage_stock ? (input.items_in_stock ?? before.items_in_stock ?? 0) : null,
  }
}

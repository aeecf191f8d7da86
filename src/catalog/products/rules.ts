import { chooseLocale, reportMissingTitle } from '#identity/languages/rules.ts'
import { fieldRequired } from '#platform/errors/faults.ts'
import type { FieldReport } from '#platform/errors/problem.ts'
import { entriesOf } from '#platform/wire/typed-entries.ts'
import { isMainFile } from './content-files.facts.ts'
import { notForProductType, onePriceOnly } from './errors.ts'
import type { ProductInput } from './schema.ts'
import type { ProductFile } from './state.ts'
import { isContent, mediumOf, PRODUCT_TYPES, productTypeOf, typesOf, typesWith } from './types.facts.ts'

/** The form of a `product_id`, in any case. */
export const PRODUCT_ID = /^[0-9A-F]{4}(-[0-9A-F]{4}){3}$/i

export const ALL_THEMES = -1

export function isProductType(type: number): boolean {
  return Object.hasOwn(PRODUCT_TYPES, type)
}

export function isPhysical(type: number): boolean {
  return productTypeOf(type).ships === true
}

/** Content is used under a license, so a binding of it must name one. */
export function needsLicense(type: number): boolean {
  return productTypeOf(type).needsLicense === true
}

/** Is there something to deliver? What is used under a license is a file, and others need none. */
export function hasContent(type: number, files: readonly Pick<ProductFile, 'role' | 'status'>[]): boolean {
  return !needsLicense(type) || files.some(({ role, status }) => isMainFile(role) && status === 'ready')
}

/** Reports what a new product needs and an input lacks. The input need not have passed validation. */
export function reportMissing(input: { product_type?: unknown; title?: unknown }, report: FieldReport): void {
  if (input.product_type === undefined) report.add('product_type', fieldRequired())
  reportMissingTitle(input, report)
}

const kinds = {
  'video and audio': typesWith(({ use }) => use === 'watch' || use === 'listen'),
  video: typesOf('film'),
  audio: typesOf('audio'),
  'audio, video and books': typesWith(({ use }) => use === 'watch' || use === 'listen' || use === 'read'),
  'physical products': typesWith(({ ships }) => ships === true),
  'everything but goods and services': typesWith(({ use }) => use !== undefined),
  software: typesWith(({ isTried }) => isTried === true),
  'collections and variations': typesOf('collection'),
} satisfies Record<string, readonly number[]>

/** Which attributes belong to some types only. */
const ONLY_FOR = {
  runtime: 'video and audio',
  chapters: 'video',
  gtin: 'physical products',
  weight: 'physical products',
  items_in_stock: 'physical products',
  manage_stock: 'physical products',
  allow_download_trial: 'software',
  tagging_genre: 'audio, video and books',
  tagging_studios: 'audio, video and books',
  tagging_people: 'audio, video and books',
  tagging_script: 'audio, video and books',
  tagging_director: 'audio, video and books',
  included_products: 'collections and variations',
} as const satisfies Partial<Record<keyof ProductInput, keyof typeof kinds>>

const BINDING_ONLY_FOR = { hd: 'video', audio_type: 'audio', num_users: 'everything but goods and services' } as const

/**
 * Empty values of attributes of another type are allowed, because clients send back whole objects that they have read.
 */
function saysSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== null && value !== '' && value !== 0 && value !== false
}

function isFor(type: number, kind: keyof typeof kinds): boolean {
  return kinds[kind].includes(type)
}

export function isHdVideo(type: number): boolean {
  return productTypeOf(type).isHd === true
}

/** May a product of this type have this attribute? */
export function allows(type: number, attribute: keyof typeof ONLY_FOR): boolean {
  return isFor(type, ONLY_FOR[attribute])
}

/** allows for an attribute of a binding. */
export function allowsInBinding(type: number, attribute: keyof typeof BINDING_ONLY_FOR): boolean {
  return isFor(type, BINDING_ONLY_FOR[attribute])
}

/** Reports every attribute that belongs to products of another type. */
export function checkTypeOnlyFields(type: number, input: ProductInput, report: FieldReport): void {
  for (const [name, kind] of entriesOf(ONLY_FOR)) {
    if (saysSomething(input[name]) && !isFor(type, kind)) report.add(name, notForProductType(`applies to ${kind} only`))
  }
  if (saysSomething(input.tagging?.isbn) && !isFor(type, 'audio, video and books'))
    report.add('tagging.isbn', notForProductType('applies to audio, video and books only'))
  // 0 is a rating, too, and not an empty value.
  if (typeof input.tagging?.age === 'number' && !isFor(type, 'audio, video and books'))
    report.add('tagging.age', notForProductType('applies to audio, video and books only'))
  checkBindings(type, input, report)
}

function checkBindings(type: number, input: ProductInput, report: FieldReport): void {
  const bindings = input.price_license_binding ?? []
  for (const [index, binding] of bindings.entries()) {
    for (const [name, kind] of entriesOf(BINDING_ONLY_FOR)) {
      if (saysSomething(binding[name]) && !isFor(type, kind))
        report.add(`price_license_binding[${index}].${name}`, notForProductType(`applies to ${kind} only`))
    }
    if (isPhysical(type) && saysSomething(binding.license_id))
      report.add(`price_license_binding[${index}].license_id`, notForProductType('does not apply to physical products'))
  }
  if (isPhysical(type) && bindings.length > 1) report.add('price_license_binding', onePriceOnly())
}

/** May a collection include a product of this type? Goods are shipped on their own, and collections are not nested. */
export function mayBeIncluded(type: number): boolean {
  return isContent(type) && mediumOf(type) !== 'collection'
}

export type Texts = { language: string; title: string; version: string }

/** The texts that a shop shows in a language: those of the locale, else those of the product. */
export function textsFor(
  product: { title: string; version: string; locales: readonly Texts[] },
  language: string,
): { title: string; version: string } {
  const locale = chooseLocale(product.locales, language)
  return { title: locale?.title || product.title, version: locale?.version || product.version }
}

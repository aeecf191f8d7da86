import { primaryLanguage } from '#platform/text/accepted-languages.ts'
import { wordsIn } from '#platform/text/tokenize.ts'
import type { Tagging } from '../parts/rules.ts'
import type { ProductFile, ProductState } from '../state.ts'
import { mediumOf } from '../types.facts.ts'
import { FORMATS } from './formats.facts.ts'

/** What visitors filter and sort products by. The price is not part of it: the database knows it. */
export type Facets = {
  kind: string
  year: number | null
  sort_title: string
  genres: string[]
  genre_names: string[]
  languages: string[]
  formats: string[]
}

const TITLE_MAX = 100
const VALUES_MAX = 50
/** Files that are not what is bought. */
const APART = new Set(['trailer', 'preview', 'trial', 'extra', 'subtitles'])

type Described = Pick<ProductState, 'product_type' | 'title' | 'tagging' | 'files'>

export function facetsOf({ product_type, title, tagging, files }: Described): Facets {
  const genres = new Map(tagging.tagging_genre.map(({ value }) => [facetKey(value), value.trim()]))
  genres.delete('')
  const sold = files.filter(({ role, status }) => status === 'ready' && !APART.has(role))
  return {
    kind: mediumOf(product_type),
    year: tagging.tagging.year,
    sort_title: sortTitle(title),
    genres: [...genres.keys()].slice(0, VALUES_MAX),
    genre_names: [...genres.values()].slice(0, VALUES_MAX),
    languages: distinct(sold, ({ language }) => (language === '' ? [] : [primaryLanguage(language).toLowerCase()])),
    formats: distinct(sold, ({ content_type }) => [FORMATS[content_type ?? '']?.toLowerCase() ?? []].flat()),
  }
}

function distinct(files: readonly ProductFile[], valuesOf: (file: ProductFile) => string[]): string[] {
  return [...new Set(files.flatMap(valuesOf))].slice(0, VALUES_MAX)
}

/** A text of an owner as a word in an address and in the index: `Road film` is `road-film`. */
export function facetKey(text: string): string {
  return wordsIn(text.slice(0, TITLE_MAX)).join('-')
}

function sortTitle(title: string): string {
  return title.slice(0, TITLE_MAX).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

/** The marks of facets in the index. No word of a text begins with an `@`. */
export const FACET_MARKS = {
  category: (id: number) => `@c${id}`,
  kind: (kind: string) => `@k${kind}`,
  genre: (key: string) => `@g${key}`,
  language: (code: string) => `@l${code}`,
  format: (format: string) => `@f${format}`,
  year: (year: number) => `@y${year}`,
  person: (key: string) => `@n${key}`,
} as const

/** Everybody who is named with a work. */
export function peopleOf({ tagging_director, tagging_script, tagging_people }: Tagging): string[] {
  const names = [...tagging_director, ...tagging_script, ...tagging_people].map(({ person }) => facetKey(person))
  return [...new Set(names)].filter((name) => name !== '').slice(0, VALUES_MAX)
}

/** The marks of a product: its facets, the people behind it, and the categories that it is in. */
export function marksOf(
  facets: Facets,
  { tagging, categories }: Pick<ProductState, 'tagging' | 'categories'>,
): string[] {
  return [
    ...peopleOf(tagging).map(FACET_MARKS.person),
    FACET_MARKS.kind(facets.kind),
    ...(facets.year === null ? [] : [FACET_MARKS.year(facets.year)]),
    ...facets.genres.map(FACET_MARKS.genre),
    ...facets.languages.map(FACET_MARKS.language),
    ...facets.formats.map(FACET_MARKS.format),
    ...categories.map(({ category_id }) => FACET_MARKS.category(category_id)),
  ]
}

/** The bounds of the steps in which the index knows prices, in cents of a euro. */
export const PRICE_STEPS = [
  100, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 7500, 10_000, 20_000, 50_000, 100_000,
]

/** The steps that prices between two bounds may be in. */
export function priceSteps(from: number, to: number): number[] {
  const stepOf = (cents: number) => PRICE_STEPS.filter((step) => step <= cents).length
  const first = stepOf(from)
  return Array.from({ length: stepOf(to) - first + 1 }, (_, place) => first + place)
}

/** The mark of a step in which the index knows prices. */
export const priceMark = (step: number): string => `@p${step}`

import {
  FACET_MARKS,
  facetKey,
  type FACET_MARKS as Marks,
  priceMark,
  priceSteps,
} from '#catalog/products/search/facets.rules.ts'
import { MEDIA } from '#catalog/products/types.facts.ts'

/** What a list of products is filtered and sorted by, as the address of the page says it. */
export type Filters = {
  kind: string[]
  genre: string[]
  language: string[]
  format: string[]
  year_from: number | undefined
  year_to: number | undefined
  /** In units of the visitor's currency. */
  price_from: number | undefined
  price_to: number | undefined
  sort: Sort
}

/** The first one is the order in which the page shows its products without a choice. */
export const SORTS = ['', 'newest', 'price', 'price-desc', 'title'] as const
export type Sort = (typeof SORTS)[number]

export const CHOICES = ['kind', 'genre', 'language', 'format'] as const
export type Choice = (typeof CHOICES)[number] & keyof typeof Marks
export const BOUNDS = ['price_from', 'price_to', 'year_from', 'year_to'] as const
export type Bound = (typeof BOUNDS)[number]

/** The filters with prices in cents of a euro, as products have them. */
export type Wanted = Omit<Filters, 'price_from' | 'price_to'> & { cents_from?: number; cents_to?: number }

/** A product as far as filters look at it. */
export type FacetRow = {
  id: number
  kind: string
  year: number | null
  price_cents: number | null
  sort_title: string
  genres: string[]
  genre_names: string[]
  languages: string[]
  formats: string[]
  /** Its place in the order of the page, such as that of the shop owner in a category. */
  place: number
}

const VALUES_MAX = 20
const VALUE_LENGTH_MAX = 60
const YEAR_MIN = 1000
const YEAR_MAX = 9999
/** The years that the index is asked about, because each costs a look into it. */
const YEARS = { first: 1880, last: 2100 }
const PRICE_MAX = 1_000_000
const CENTS_MAX = Number.MAX_SAFE_INTEGER

/** The filters in an address. What is not understood is left out, as if nobody had asked for it. */
export function readFilters(query: Readonly<Record<string, unknown>>): Filters {
  const texts = (name: string) => {
    const values = [query[name]].flat().flatMap((value) => (typeof value === 'string' ? value.split(',') : []))
    const short = values.filter(({ length }) => length <= VALUE_LENGTH_MAX).map(facetKey)
    return [...new Set(short)].filter((value) => value !== '').slice(0, VALUES_MAX)
  }
  const number = (name: string, min: number, max: number) => {
    const text = query[name]
    if (typeof text !== 'string' || !/^\d{1,7}([.,]\d{1,2})?$/.test(text)) return undefined
    const value = Number(text.replace(',', '.'))
    return value >= min && value <= max ? value : undefined
  }
  const year = (name: string) => {
    const value = number(name, YEAR_MIN, YEAR_MAX)
    return value === undefined ? undefined : Math.floor(value)
  }
  return {
    kind: texts('kind').filter((kind) => MEDIA.some((medium) => medium === kind)),
    genre: texts('genre'),
    language: texts('language'),
    format: texts('format'),
    year_from: year('year_from'),
    year_to: year('year_to'),
    price_from: number('price_from', 0, PRICE_MAX),
    price_to: number('price_to', 0, PRICE_MAX),
    sort: SORTS.find((sort) => sort === query.sort) ?? '',
  }
}

export function hasFilters(filters: Filters): boolean {
  return CHOICES.some((name) => filters[name].length > 0) || BOUNDS.some((name) => filters[name] !== undefined)
}

/** The part of an address that says the filters; empty without any. */
export function filterQuery(filters: Filters): string {
  const pairs = new URLSearchParams()
  for (const name of CHOICES) for (const value of filters[name]) pairs.append(name, value)
  for (const name of BOUNDS) if (filters[name] !== undefined) pairs.append(name, String(filters[name]))
  if (filters.sort !== '') pairs.append('sort', filters.sort)
  return pairs.toString()
}

/** Does a product pass the filters? A product without a price or a year passes no bound of it. */
export function passes(row: FacetRow, wanted: Wanted): boolean {
  const any = (values: readonly string[], asked: readonly string[]) =>
    asked.length === 0 || asked.some((value) => values.includes(value))
  const within = (value: number | null, from: number | undefined, to: number | undefined) =>
    (from === undefined && to === undefined) || (value !== null && value >= (from ?? 0) && value <= (to ?? CENTS_MAX))
  return (
    any([row.kind], wanted.kind) &&
    any(row.genres, wanted.genre) &&
    any(row.languages, wanted.language) &&
    any(row.formats, wanted.format) &&
    within(row.year, wanted.year_from, wanted.year_to) &&
    within(row.price_cents, wanted.cents_from, wanted.cents_to)
  )
}

/** The marks that the index knows the filters by: a product has one of each group. Undefined if no product can have them. */
export function marksFor(wanted: Wanted): string[][] | undefined {
  const groups: string[][] = CHOICES.map((name) => wanted[name].map(FACET_MARKS[name]))
  const { year_from = YEAR_MIN, year_to = YEAR_MAX, cents_from = 0, cents_to = CENTS_MAX } = wanted
  if (wanted.year_from !== undefined || wanted.year_to !== undefined) {
    const years = Math.max(0, Math.min(year_to, YEARS.last) - Math.max(year_from, YEARS.first) + 1)
    if (years === 0) return undefined
    groups.push(Array.from({ length: years }, (_, place) => FACET_MARKS.year(Math.max(year_from, YEARS.first) + place)))
  }
  if (wanted.cents_from !== undefined || wanted.cents_to !== undefined)
    groups.push(priceSteps(cents_from, cents_to).map(priceMark))
  return groups.filter((marks) => marks.length > 0)
}

/** Compares products in an order. Those without a price come last in both directions. */
export function compareBy(sort: Sort): (a: FacetRow, b: FacetRow) => number {
  const dearest = Number.MAX_SAFE_INTEGER
  if (sort === 'newest') return (a, b) => b.id - a.id
  if (sort === 'price') return (a, b) => (a.price_cents ?? dearest) - (b.price_cents ?? dearest) || a.id - b.id
  if (sort === 'price-desc') return (a, b) => (b.price_cents ?? -1) - (a.price_cents ?? -1) || b.id - a.id
  if (sort === 'title')
    return (a, b) => (a.sort_title < b.sort_title ? -1 : a.sort_title > b.sort_title ? 1 : a.id - b.id)
  return (a, b) => a.place - b.place || b.id - a.id
}

import { convertCents } from '#catalog/currency-rates/rules.ts'
import { MEDIA } from '#catalog/products/types.facts.ts'
import { languageNames } from '#identity/languages/rules.ts'
import { genreName } from '#shop/site/genres.rules.ts'
import type { Viewer } from '../cards.present.ts'
import type { FacetList } from './queries.ts'
import {
  BOUNDS,
  type Bound,
  CHOICES,
  type Choice,
  type FacetRow,
  type Filters,
  filterQuery,
  hasFilters,
  SORTS,
  type Wanted,
} from './rules.ts'

const OPTIONS_MAX = 12
const EURO = 'EUR'

/** A value that a list can be filtered by. */
export type FilterOption = {
  value: string
  /** What it is called; absent for a kind, which is the text `kinds.{value}`. */
  name: string
  is_chosen: boolean
  /** How many products have it, if they were counted. */
  count: number | undefined
}

/** The form above a list, and the filters that are set. */
export type FilterForm = {
  groups: { name: Choice; options: FilterOption[] }[]
  /** Prices are in this currency. */
  currency: string
  values: Partial<Record<Bound, number>>
  sort: string
  /** The text of each is `filters.sort.{sort}`, of the empty one `filters.sort.default`. */
  sorts: readonly string[]
  /** The filters that are set, each with the address of the list without it. */
  chips: { name: Choice | Bound; text: string; url: string }[]
  /** Is any filter set? */
  is_filtered: boolean
  /** The filters as a part of an address, for the link to the next page. */
  query: string
}

/** Prices are compared in euros, at the rates of the day. */
export function wantedOf({ price_from, price_to, ...filters }: Filters, { currency, rates }: Viewer): Wanted {
  const cents = (price: number | undefined) =>
    price === undefined ? undefined : convertCents(Math.round(price * 100), currency, EURO, rates)
  const [from, to] = [cents(price_from), cents(price_to)]
  return {
    ...filters,
    ...(from === undefined ? {} : { cents_from: from }),
    ...(to === undefined ? {} : { cents_to: to }),
  }
}

const VALUES: Record<Choice, (row: FacetRow) => readonly string[]> = {
  kind: ({ kind }) => [kind],
  genre: ({ genres }) => genres,
  language: ({ languages }) => languages,
  format: ({ formats }) => formats,
}

type Names = (name: Choice, value: string) => string

/** What a visitor can filter a list by. Without a known list only the kinds are offered. */
export function filterFormOf(filters: Filters, known: FacetList | undefined, viewer: Viewer, words = ''): FilterForm {
  const names = namesOf(known?.rows ?? [], viewer)
  const groups = CHOICES.map((name) => ({ name, options: optionsOf(name, filters, known, names) }))
  return {
    groups: groups.filter(({ options }) => options.length > 1 || options.some(({ is_chosen }) => is_chosen)),
    currency: viewer.currency,
    values: Object.fromEntries(BOUNDS.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]]))),
    sort: filters.sort,
    sorts: SORTS,
    chips: chipsOf(filters, names, words),
    is_filtered: hasFilters(filters),
    query: filterQuery(filters),
  }
}

function namesOf(rows: readonly FacetRow[], { language }: Viewer): Names {
  const genres = new Map(rows.flatMap((row) => row.genres.map((key, place) => [key, row.genre_names[place] ?? key])))
  const nameOfLanguage = languageNames(language)
  return (name, value) => {
    if (name === 'genre') return genreName(language, genres.get(value) ?? value.replaceAll('-', ' '))
    if (name === 'language') return nameOfLanguage(value)
    return name === 'format' ? value.toUpperCase() : value
  }
}

function optionsOf(name: Choice, filters: Filters, known: FacetList | undefined, nameOf: Names): FilterOption[] {
  const counts = new Map<string, number>()
  for (const row of known?.rows ?? [])
    for (const value of VALUES[name](row)) counts.set(value, (counts.get(value) ?? 0) + 1)
  const found = known === undefined && name === 'kind' ? [...MEDIA] : [...counts.keys()]
  const common = found.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0)).slice(0, OPTIONS_MAX)
  return [...new Set([...common, ...filters[name]])].map((value) => ({
    value,
    name: nameOf(name, value),
    is_chosen: filters[name].includes(value),
    count: known?.isAll ? (counts.get(value) ?? 0) : undefined,
  }))
}

function chipsOf(filters: Filters, nameOf: Names, words: string): FilterForm['chips'] {
  const addressOf = (rest: Filters) => {
    const query = filterQuery(rest)
    const search = words === '' ? '' : `q=${encodeURIComponent(words)}${query === '' ? '' : '&'}`
    return `?${search}${query}`
  }
  const choices = CHOICES.flatMap((name) =>
    filters[name].map((value) => ({
      name,
      text: nameOf(name, value),
      url: addressOf({ ...filters, [name]: filters[name].filter((other) => other !== value) }),
    })),
  )
  const bounds = BOUNDS.flatMap((name) =>
    filters[name] === undefined
      ? []
      : [{ name, text: String(filters[name]), url: addressOf({ ...filters, [name]: undefined }) }],
  )
  return [...choices, ...bounds]
}

import { facetKey } from '#catalog/products/search/facets.rules.ts'
import { FORMATS } from '#catalog/products/search/formats.facts.ts'
import { mediumOf } from '#catalog/products/types.facts.ts'
import { languageNames } from '#identity/languages/rules.ts'
import { t } from '#platform/text/messages.ts'
import { genreName } from '#shop/site/genres.rules.ts'
import type { Viewer } from './cards.present.ts'
import type { ProductRow } from './state.ts'

/** What the product is, in a few words, and the table of details. */
export function factsOf(
  { product_type, tagging, chapters, gtin, supplier, weight, contents }: ProductRow,
  version: string,
  { language }: Viewer,
) {
  const nameOf = languageNames(language)
  const values = (words: readonly { value: string }[]) => words.map(({ value }) => value).filter(Boolean)
  const people = (list: readonly { person: string }[]) => list.map(({ person }) => person).filter(Boolean)
  const files = contents ?? []
  const { age } = tagging.tagging
  const medium = mediumOf(product_type)
  const [isFilm, isGoods] = [medium === 'film', medium === 'goods']
  const subtitles = files.filter(({ role }) => role === 'subtitles')
  const main = files.filter(({ role }) => role !== 'subtitles')
  /** A language or a format that several files have is said once. */
  const spoken = (list: typeof files) => [
    ...new Set(list.flatMap((file) => (file.language === '' ? [] : nameOf(file.language)))),
  ]
  return {
    /** The year of its making. */
    year: tagging.tagging.year,
    genres: values(tagging.tagging_genre).map((genre) => genreName(language, genre)),
    languages: spoken(main),
    chapters,
    /** The table of details: `key` is the last part of a key below `product.details`, or `label` is a text of the owner. */
    details: [
      { key: 'director', values: people(tagging.tagging_director) },
      { key: 'script', values: people(tagging.tagging_script) },
      ...castOf(tagging.tagging_people),
      { key: 'studio', values: values(tagging.tagging_studios) },
      { key: 'sound', values: isFilm ? spoken(main) : [] },
      { key: 'subtitles', values: spoken(subtitles) },
      { key: 'age', values: age === undefined ? [] : [t(language, 'pages.product.from_age', { age })] },
      { key: 'format', values: [...new Set(main.flatMap(({ content_type }) => FORMATS[content_type] ?? []))] },
      { key: isGoods ? 'kind' : 'version', values: [version] },
      { key: 'weight', values: isGoods && weight ? [weightIn(language, weight)] : [] },
      { key: 'supplier', values: [supplier ?? ''] },
      { key: 'isbn', values: tagging.tagging.isbn === null ? [] : [tagging.tagging.isbn] },
      { key: 'gtin', values: gtin === null || gtin === '' ? [] : [gtin] },
    ].filter(({ values: list }) => list.some((value) => value !== '')),
  }
}

/** How files and owners call those who made a work, by the last part of a key below `product.details`. */
const ROLES: Readonly<Record<string, string>> = {
  actor: 'cast',
  actress: 'cast',
  actors: 'cast',
  cast: 'cast',
  author: 'author',
  narrator: 'narrator',
  reader: 'narrator',
  speaker: 'narrator',
  composer: 'composer',
  music: 'composer',
  camera: 'camera',
  cinematographer: 'camera',
  cinematography: 'camera',
  editor: 'editor',
  editing: 'editor',
  producer: 'producer',
  translator: 'translator',
}

/** One line for each role, in the order of the owner, with everybody who has it. */
function castOf(people: ProductRow['tagging']['tagging_people']) {
  const lines = Map.groupBy(people, ({ role }) => ROLES[facetKey(role)] ?? role)
  return [...lines].map(([role, list]) => {
    const isKnown = Object.values(ROLES).includes(role)
    return { key: isKnown ? role : undefined, label: role, values: list.map(({ person }) => person).filter(Boolean) }
  })
}

const GRAMS_IN_KILOGRAM = 1000

function weightIn(language: string, grams: number): string {
  const isHeavy = grams >= GRAMS_IN_KILOGRAM
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: isHeavy ? 'kilogram' : 'gram',
    maximumFractionDigits: 1,
  }).format(isHeavy ? grams / GRAMS_IN_KILOGRAM : grams)
}

import { themeUnknown } from '#catalog/theme-settings/errors.ts'
import { THEMES } from '#catalog/theme-settings/themes.facts.ts'
import { endBeforeStart, entryRepeated, fieldRequired } from '#platform/errors/faults.ts'
import type { FieldReport } from '#platform/errors/problem.ts'
import { readTime } from '#platform/wire/times.ts'
import { ALL_THEMES, allowsInBinding, isHdVideo, needsLicense } from '../rules.ts'
import type { BindingInput, ChapterInput, GroupInput, PersonInput, ProductInput, ValueInput } from '../schema.ts'

/** The stored parts of a product that a body replaces as a whole. */

export type Chapter = { id: number; name: string; runtime: number }
export type Word = { id: number; value: string }
export type Person = { id: number; person: string }
export type Tagging = {
  /** The age is absent where there is none, because answers of products without one do not have the field. */
  tagging: { id: number; isbn: string | null; year: number | null; age?: number }
  tagging_genre: Word[]
  tagging_studios: Word[]
  tagging_people: (Person & { role: string })[]
  tagging_script: Person[]
  tagging_director: Person[]
}
export type Binding = {
  id: number
  license_id: number | null
  price_id: number | null
  compare_price_id: number | null
  hd: boolean | null
  audio_type: number | null
  num_users: number | null
}
/** The position is the place among the entries of the category. */
export type Entry = { id: number; category_id: number; position: number; created_at: Date }
export type Theme = { id: number; theme_id: number; created_at: Date }
export type Group = { group_id: string; start_at: Date | null; end_at: Date | null; created_at: Date }

/** A product of the same company that a collection or a variation includes. */
export type Included = { id: number; product_id: string }

/** The tagging of a new product: there from the start, with nothing in it. */
export function emptyTagging(id: number): Tagging {
  return {
    tagging: { id, isbn: null, year: null },
    tagging_genre: [],
    tagging_studios: [],
    tagging_people: [],
    tagging_script: [],
    tagging_director: [],
  }
}

export type PartContext = { now: Date; takeId: () => number; report: FieldReport }

/**
 * The sent list replaces the old one. An entry with a known id keeps the id, and the fields that it does not mention.
 */
export function replaceList<Kept extends { id: number }, Sent extends { id?: number | null | undefined }>(
  kept: readonly Kept[],
  sent: readonly Sent[],
  takeId: () => number,
  build: (entry: Sent, before: Kept | undefined, id: number, index: number) => Kept,
): Kept[] {
  const used = new Set<number>()
  return sent.map((entry, index) => {
    const before = kept.find(({ id }) => id === entry.id && !used.has(id))
    const id = before?.id ?? takeId()
    used.add(id)
    return build(entry, before, id, index)
  })
}

/** Rows have no order of their own, so parts are sorted as a later read would return them. */
export function byId(a: { id: number }, b: { id: number }): number {
  return a.id - b.id
}

export function byGroupId(a: { group_id: string }, b: { group_id: string }): number {
  return a.group_id < b.group_id ? -1 : 1
}

function reportTwice<Value>(values: readonly Value[], path: (index: number) => string, report: FieldReport): void {
  for (const [index, value] of values.entries()) {
    if (value !== undefined && values.indexOf(value) !== index) report.add(path(index), entryRepeated())
  }
}

export function changeChapters(kept: Chapter[], sent: ChapterInput[], { takeId }: PartContext): Chapter[] {
  return replaceList(kept, sent, takeId, (entry, before, id) => ({
    id,
    name: entry.name ?? before?.name ?? '',
    runtime: entry.runtime ?? before?.runtime ?? 0,
  }))
}

const words = (kept: Word[], sent: ValueInput[] | undefined, { takeId }: PartContext): Word[] =>
  sent === undefined
    ? kept
    : replaceList(kept, sent, takeId, (entry, before, id) => ({ id, value: entry.value ?? before?.value ?? '' }))

const people = (kept: Person[], sent: PersonInput[] | undefined, { takeId }: PartContext): Person[] =>
  sent === undefined
    ? kept
    : replaceList(kept, sent, takeId, (entry, before, id) => ({ id, person: entry.person ?? before?.person ?? '' }))

const orKept = <Value>(sent: Value | undefined, kept: Value | undefined): Value | null =>
  sent === undefined ? (kept ?? null) : sent

export function changeTagging(kept: Tagging, input: ProductInput, context: PartContext): Tagging {
  const { takeId } = context
  const cast = input.tagging_people
  const age = orKept(input.tagging?.age, kept.tagging.age)
  return {
    tagging: {
      id: kept.tagging.id,
      isbn: input.tagging?.isbn === undefined ? kept.tagging.isbn : input.tagging.isbn,
      year: input.tagging?.year === undefined ? kept.tagging.year : input.tagging.year,
      ...(age === null ? {} : { age }),
    },
    tagging_genre: words(kept.tagging_genre, input.tagging_genre, context),
    tagging_studios: words(kept.tagging_studios, input.tagging_studios, context),
    tagging_people:
      cast === undefined
        ? kept.tagging_people
        : replaceList(kept.tagging_people, cast, takeId, (entry, before, id) => ({
            id,
            role: entry.role ?? before?.role ?? '',
            person: entry.person ?? before?.person ?? '',
          })),
    tagging_script: people(kept.tagging_script, input.tagging_script, context),
    tagging_director: people(kept.tagging_director, input.tagging_director, context),
  }
}

/** Fields that do not apply to the product type are null, whatever empty value was sent. */
export function changeBindings(
  type: number,
  kept: Binding[],
  sent: BindingInput[],
  { takeId, report }: PartContext,
): Binding[] {
  return replaceList(kept, sent, takeId, (entry, before, id, index) => {
    const license_id = orKept(entry.license_id, before?.license_id)
    // A binding from before this rule can be sent back as it was read.
    if (license_id === null && needsLicense(type) && (before === undefined || before.license_id !== null))
      report.add(`price_license_binding[${index}].license_id`, fieldRequired())
    return {
      id,
      license_id,
      price_id: orKept(entry.price_id, before?.price_id),
      compare_price_id: orKept(entry.compare_price_id, before?.compare_price_id),
      hd: allowsInBinding(type, 'hd') ? (orKept(entry.hd, before?.hd) ?? (isHdVideo(type) || null)) : null,
      audio_type: allowsInBinding(type, 'audio_type') ? orKept(entry.audio_type, before?.audio_type) : null,
      num_users: allowsInBinding(type, 'num_users') ? orKept(entry.num_users, before?.num_users) : null,
    }
  })
}

/** A license or a price that a binding names, and its place in the body. */
export type Term = { kind: 'license' | 'price'; id: number; path: string }

/** The licenses and prices that are new in the bindings. Only these have to be valid. */
export function changedTerms(before: readonly Binding[], after: readonly Binding[]): Term[] {
  if (before === after) return []
  const old = new Map(before.map((binding) => [binding.id, binding]))
  return after.flatMap((binding, index) =>
    (['license_id', 'price_id', 'compare_price_id'] as const).flatMap((field): Term[] => {
      const id = binding[field]
      if (id === null || id === old.get(binding.id)?.[field]) return []
      const kind = field === 'license_id' ? 'license' : 'price'
      return [{ kind, id, path: `price_license_binding[${index}].${field}` }]
    }),
  )
}

export function changeEntries(
  kept: Entry[],
  sent: NonNullable<ProductInput['categories']>,
  { now, takeId, report }: PartContext,
): Entry[] {
  // A category that the product is in already keeps its binding, also when it is named without the binding's id.
  const known = sent.map((entry) => ({
    ...entry,
    id: entry.id || kept.find(({ category_id }) => category_id === entry.category_id)?.id,
  }))
  const entries = replaceList(kept, known, takeId, (entry, before, id, index) => {
    const categoryId = entry.category_id ?? before?.category_id
    if (categoryId === undefined) report.add(`categories[${index}].category_id`, fieldRequired())
    const moved = before === undefined || before.category_id !== categoryId
    // Ids only grow, so an entry that is new in a category comes after those that are there.
    return moved
      ? { id, category_id: categoryId ?? 0, position: id, created_at: now }
      : { id, category_id: before.category_id, position: before.position, created_at: before.created_at }
  })
  reportTwice(
    entries.map(({ category_id }) => category_id),
    (index) => `categories[${index}].category_id`,
    report,
  )
  return entries.sort(byId)
}

export function changeThemes(
  kept: Theme[],
  sent: NonNullable<ProductInput['themes']>,
  { now, takeId, report }: PartContext,
): Theme[] {
  const known = sent.map((entry) => ({
    ...entry,
    id: entry.id || kept.find(({ theme_id }) => theme_id === entry.theme_id)?.id,
  }))
  // A theme that the product is in already may be gone by now: sending it back is no mistake.
  const themeIds = new Set([ALL_THEMES, ...THEMES.keys(), ...kept.map(({ theme_id }) => theme_id)])
  for (const [index, { theme_id }] of known.entries()) {
    const path = `themes[${index}].theme_id`
    if (theme_id === undefined) report.add(path, fieldRequired())
    else if (!themeIds.has(theme_id)) report.add(path, themeUnknown('must be the id of a theme, or -1 for all'))
  }
  reportTwice(
    known.map(({ theme_id }) => theme_id),
    (index) => `themes[${index}].theme_id`,
    report,
  )
  const themes = replaceList(kept, known, takeId, (entry, before, id) => ({
    id,
    theme_id: entry.theme_id ?? ALL_THEMES,
    created_at: before?.created_at ?? now,
  }))
  return themes.sort(byId)
}

export function changeGroups(kept: Group[], sent: GroupInput[], { now, report }: PartContext): Group[] {
  reportTwice(
    sent.map(({ group_id }) => group_id),
    (index) => `groups[${index}].group_id`,
    report,
  )
  const groups = sent.map((entry, index) => {
    const { group_id = '' } = entry
    if (group_id === '') report.add(`groups[${index}].group_id`, fieldRequired())
    const before = kept.find((group) => group.group_id === group_id)
    const bound = (text: string | null | undefined, old: Date | null | undefined) =>
      text === undefined ? (old ?? null) : text === null ? null : readTime(text)
    const start_at = bound(entry.start_at, before?.start_at)
    const end_at = bound(entry.end_at, before?.end_at)
    if (start_at !== null && end_at !== null && end_at < start_at)
      report.add(`groups[${index}].end_at`, endBeforeStart('is before start_at'))
    return { group_id, start_at, end_at, created_at: before?.created_at ?? now }
  })
  return groups.sort(byGroupId)
}

export function changeIncluded(
  kept: Included[],
  sent: NonNullable<ProductInput['included_products']>,
  { takeId, report }: PartContext,
): Included[] {
  const known = sent.map((entry) => ({
    ...entry,
    id: entry.id || kept.find(({ product_id }) => product_id === entry.product_id?.toUpperCase())?.id,
  }))
  const included = replaceList(kept, known, takeId, (entry, before, id, index) => {
    const productId = entry.product_id?.toUpperCase() ?? before?.product_id
    if (productId === undefined) report.add(`included_products[${index}].product_id`, fieldRequired())
    return { id, product_id: productId ?? '' }
  })
  reportTwice(
    included.map(({ product_id }) => product_id),
    (index) => `included_products[${index}].product_id`,
    report,
  )
  return included
}

/** The included products that are new, with their places in the body. Only these have to be there. */
export function changedIncluded(
  before: readonly Included[],
  after: readonly Included[],
): { product_id: string; path: string }[] {
  if (before === after) return []
  const old = new Set(before.map(({ product_id }) => product_id))
  return after.flatMap(({ product_id }, index) =>
    old.has(product_id) ? [] : [{ product_id, path: `included_products[${index}].product_id` }],
  )
}

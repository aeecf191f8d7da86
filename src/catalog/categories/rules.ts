import { isFetchable, type Picture, pictureChange, pictureFrom, type TakeUpload } from '#catalog/pictures/rules.ts'
import { givenTitle, mergeLocales, reportMissingTitle } from '#identity/languages/rules.ts'
import { fieldBlank, urlInvalid } from '#platform/errors/faults.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import type { CategoryInput, CategoryLocaleInput } from './schema.ts'
import type { CategoryState, StoredCategoryLocale } from './state.ts'

export type Change = { now: Date; takeId: () => number; takeUpload?: TakeUpload }

/** At most as many ids as a body can need for locales, their pictures and entries that are new. */
export function partIdsFor(input: CategoryInput): number {
  return 2 * (input.locales?.length ?? 0) + (input.entries?.length ?? 0)
}

/** Reports what a new category needs and an input lacks. The input need not have passed validation. */
export function reportMissing(input: object, report: FieldReport): void {
  reportMissingTitle(input, report)
}

export function newCategory(companyId: number, id: number, input: CategoryInput, change: Change): CategoryState {
  const title = givenTitle(input)
  const report = new FieldReport()
  reportMissing(input, report)
  report.throwIfAny()
  const blank: CategoryState = {
    company_id: companyId,
    id,
    title,
    comment: '',
    enabled: true,
    parent_id: null,
    position: 0,
    locales: [],
    created_at: change.now,
    updated_at: change.now,
    pictures: [],
  }
  return changeCategory(blank, { ...input, title }, change)
}

/** The category after an update. Absent fields stay, locales are merged. */
export function changeCategory(before: CategoryState, input: CategoryInput, change: Change): CategoryState {
  const { now, takeId } = change
  const report = new FieldReport()
  if (input.title?.trim() === '') report.add('title', fieldBlank())
  reportUnstorable(input, report)
  const pictures = [...before.pictures]
  const changes = (input.locales ?? []).map((locale, index) => ({ ...locale, index }))
  const locales = mergeLocales<StoredCategoryLocale, (typeof changes)[number]>(
    before.locales,
    changes,
    (old, locale, identity) =>
      changedLocale(old, locale, identity, { ...change, companyId: before.company_id, pictures, report }),
    { takeId, report, languageField: 'language' },
  )
  report.throwIfAny()
  const used = new Set(locales.map(({ picture_id }) => picture_id))
  return {
    ...before,
    title: input.title ?? before.title,
    comment: input.comment ?? before.comment,
    enabled: input.enabled ?? before.enabled,
    parent_id: input.parent_id === undefined ? before.parent_id : input.parent_id,
    position: input.position ?? before.position,
    locales,
    pictures: pictures.filter(({ id }) => used.has(id)),
    updated_at: now,
  }
}

/** The categories of one parent whose places change when another one is put among them, with their new places. */
export function placed(siblings: readonly CategoryState[], moved: CategoryState, position: number): CategoryState[] {
  return siblings
    .toSorted((one, other) => one.position - other.position || one.id - other.id)
    .toSpliced(position, 0, moved)
    .map((category, place) => ({ category, place }))
    .filter(({ category, place }) => category === moved || category.position !== place)
    .map(({ category, place }) => ({ ...category, position: place }))
}

type LocaleContext = Change & { companyId: number; pictures: Picture[]; report: FieldReport }

function changedLocale(
  old: StoredCategoryLocale | undefined,
  change: CategoryLocaleInput & { index: number },
  identity: { id: number; language: string },
  context: LocaleContext,
): StoredCategoryLocale {
  const { companyId, pictures, report } = context
  const current = pictures.find(({ id }) => id === old?.picture_id)
  const wish = pictureChange(companyId, current, change.src)
  let pictureId = wish === 'keep' ? (old?.picture_id ?? null) : null
  if (typeof wish === 'object') {
    if (!isFetchable(wish.fetch)) report.add(`locales[${change.index}].src`, urlInvalid())
    const picture = pictureFrom(wish.fetch, null, context)
    pictureId = picture.id
    pictures.push(picture)
  }
  return {
    ...identity,
    title: change.title ?? old?.title ?? '',
    description: change.description ?? old?.description ?? '',
    seo_title: change.seo_title ?? old?.seo_title ?? '',
    seo_description: change.seo_description ?? old?.seo_description ?? '',
    seo_keywords: change.seo_keywords ?? old?.seo_keywords ?? '',
    picture_id: pictureId,
  }
}

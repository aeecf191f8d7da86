import { languageUnknown } from '#identity/languages/errors.ts'
import { readLanguage } from '#identity/languages/rules.ts'
import { fieldRequired } from '#platform/errors/faults.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { groupKindDiffers, groupKindMissing } from './errors.ts'
import type { GroupChange, GroupInput } from './schema.ts'
import type { GroupKind, GroupLocale, GroupState } from './state.ts'

export const GROUPS_MAX = 1000

const KINDS: Record<string, GroupKind> = { c: 'access', s: 'subscription', p: 'sharing' }
const LETTERS: Record<GroupKind, string> = { access: 'c', subscription: 's', sharing: 'p' }

/** Does a text have the form of the id of one group? Nothing else is looked for: a path may contain what cannot be stored. */
export function isGroupId(ref: string): boolean {
  return /^[csp]\d{1,18}$/i.test(ref)
}

export function kindOf(groupId: string): GroupKind {
  return KINDS[groupId.charAt(0)] ?? 'access'
}

/** The name of all groups of a kind, which a product or a member may have instead of one of them. */
export function allOfKind(groupId: string): string {
  return `${groupId.charAt(0)}-1`
}

/** The id that a new group asks for, or the letter whose next number it gets. */
export function wantedId({ id, kind }: GroupInput): { id: string } | { letter: string } {
  const report = new FieldReport()
  if (id === undefined && kind === undefined) report.add('kind', groupKindMissing())
  if (id !== undefined && kind !== undefined && kindOf(id) !== kind) report.add('kind', groupKindDiffers())
  report.throwIfAny()
  return id === undefined ? { letter: LETTERS[kind ?? 'access'] } : { id }
}

export function newGroup(
  identity: Pick<GroupState, 'company_id' | 'id' | 'group_id'>,
  input: GroupInput,
  now: Date,
): GroupState {
  const blank = { ...identity, title: '', license_id: null, valid: true, locales: [], created_at: now, updated_at: now }
  return changeGroup(blank, input, now)
}

/** The group after a change: fields that the input does not name stay. Throws with all faults at once. */
export function changeGroup(before: GroupState, input: GroupChange, now: Date): GroupState {
  const report = new FieldReport()
  reportUnstorable(input, report)
  const title = (input.title ?? before.title).trim()
  if (title === '') report.add('title', fieldRequired())
  const locales = input.locales === undefined ? before.locales : readLocales(input.locales, report)
  report.throwIfAny()
  return {
    ...before,
    title,
    license_id: input.license_id === undefined ? before.license_id : input.license_id || null,
    valid: input.valid ?? before.valid,
    locales,
    updated_at: now,
  }
}

/** The texts by language; of two in one language the last counts. */
function readLocales(sent: NonNullable<GroupChange['locales']>, report: FieldReport): GroupLocale[] {
  const locales = new Map<string, GroupLocale>()
  for (const [index, { language_id, title, description = '' }] of sent.entries()) {
    const language = readLanguage(language_id)
    if (language === undefined) report.add(`locales[${index}].language_id`, languageUnknown())
    else if (title.trim() === '') report.add(`locales[${index}].title`, fieldRequired())
    else locales.set(language, { language, title: title.trim(), description: description.trim() })
  }
  return [...locales.values()]
}

/** The title of a group in a language. */
export function titleIn({ title, locales }: Pick<GroupState, 'title' | 'locales'>, language: string): string {
  return locales.find((locale) => locale.language === language)?.title ?? title
}

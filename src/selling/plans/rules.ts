import { languageUnknown } from '#identity/languages/errors.ts'
import { readLanguage } from '#identity/languages/rules.ts'
import { fieldOutOfRange, fieldRequired } from '#platform/errors/faults.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { planTermFixed } from './errors.ts'
import type { PlanChange, PlanInput } from './schema.ts'
import type { PlanLocale, PlanState } from './state.ts'

export const PLANS_MAX = 100

/** Creates a plan from an input. Throws with all faults at once. */
export function newPlan(
  identity: Pick<PlanState, 'company_id' | 'id' | 'product_key' | 'product_id'>,
  input: PlanInput,
  now: Date,
): PlanState {
  const blank: PlanState = {
    ...identity,
    group_id: input.group_id.toLowerCase(),
    title: '',
    description: '',
    locales: [],
    price_id: input.price_id,
    interval: input.interval,
    interval_count: input.interval_count ?? 1,
    trial_days: 0,
    minimum_periods: 0,
    renewals: null,
    pausable: true,
    valid: true,
    created_at: now,
    updated_at: now,
  }
  return changePlan(blank, input, now)
}

/** The plan after a change: fields that the input does not name stay. Throws with all faults at once. */
export function changePlan(before: PlanState, input: PlanChange, now: Date): PlanState {
  const report = new FieldReport()
  reportUnstorable(input, report)
  reportFixedTerms(before, input, report)
  const title = (input.title ?? before.title).trim()
  if (title === '') report.add('title', fieldRequired())
  const locales = input.locales === undefined ? before.locales : readLocales(input.locales, report)
  const renewals = input.renewals === undefined ? before.renewals : input.renewals
  const minimum_periods = input.minimum_periods ?? before.minimum_periods
  if (renewals !== null && minimum_periods > renewals + 1)
    report.add(
      'minimum_periods',
      fieldOutOfRange(`must be at most ${renewals + 1}, because it renews ${renewals} times`),
    )
  report.throwIfAny()
  return {
    ...before,
    title,
    description: (input.description ?? before.description).trim(),
    locales,
    price_id: input.price_id ?? before.price_id,
    trial_days: input.trial_days ?? before.trial_days,
    minimum_periods,
    renewals,
    pausable: input.pausable ?? before.pausable,
    valid: input.valid ?? before.valid,
    updated_at: now,
  }
}

/** What people have agreed to stays as it is; sending it as it was read is no change. */
function reportFixedTerms(before: PlanState, input: PlanChange, report: FieldReport): void {
  const { group_id, interval, interval_count } = input
  if (group_id !== undefined && group_id.toLowerCase() !== before.group_id) report.add('group_id', planTermFixed())
  if (interval !== undefined && interval !== before.interval) report.add('interval', planTermFixed())
  if (interval_count !== undefined && interval_count !== before.interval_count)
    report.add('interval_count', planTermFixed())
}

/** The texts by language; of two in one language the last counts. */
function readLocales(sent: NonNullable<PlanChange['locales']>, report: FieldReport): PlanLocale[] {
  const locales = new Map<string, PlanLocale>()
  for (const [index, { language_id, title, description = '' }] of sent.entries()) {
    const language = readLanguage(language_id)
    if (language === undefined) report.add(`locales[${index}].language_id`, languageUnknown())
    else if (title.trim() === '') report.add(`locales[${index}].title`, fieldRequired())
    else locales.set(language, { language, title: title.trim(), description: description.trim() })
  }
  return [...locales.values()]
}

/** What a plan is called in a language; where it has no texts in it, as the company calls it. */
export function textsIn(
  { title, description, locales }: Pick<PlanState, 'title' | 'description' | 'locales'>,
  language: string,
): { title: string; description: string } {
  const own = locales.find((locale) => locale.language === language)
  return own === undefined ? { title, description } : { title: own.title, description: own.description || description }
}

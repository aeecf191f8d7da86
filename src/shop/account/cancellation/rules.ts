import { CANCELLATION_KINDS, type CancellationKind } from '#selling/subscriptions/declarations/state.ts'
import { emailErrors, type FormErrors } from '#shop/sign-in/sessions/rules.ts'
import type { CancellationForm } from './state.ts'

export function readKind(text: string): CancellationKind | undefined {
  return CANCELLATION_KINDS.find((kind) => kind === text)
}

/** Nobody cancels for a later time. */
const YEARS_MAX = 50

/** Is it a day of the calendar that is not too far away? Empty is as soon as possible. */
function isDay(text: string, now: Date): boolean {
  if (text === '') return true
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text) return false
  return day.getUTCFullYear() >= 2000 && day.getUTCFullYear() <= now.getUTCFullYear() + YEARS_MAX
}

/** What is wrong with a form, by its fields. */
export function errorsIn(form: CancellationForm, now: Date): FormErrors {
  return {
    ...emailErrors(form.email),
    ...(form.name === '' ? { name: 'cancellation.errors.name' } : {}),
    ...(readKind(form.kind) === undefined ? { kind: 'cancellation.errors.kind' } : {}),
    ...(form.kind === 'extraordinary' && form.reason === '' ? { reason: 'cancellation.errors.reason' } : {}),
    ...(isDay(form.end, now) ? {} : { end: 'cancellation.errors.end' }),
  }
}

import { dayAndTime, list } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Customer } from './queries.ts'
import type { Right } from './right.tsx'

/** The name of a customer; the email address of one without a name. */
export function nameOf({ first_name, last_name, email }: Pick<Customer, 'first_name' | 'last_name' | 'email'>): string {
  return [first_name, last_name].filter(Boolean).join(' ') || email
}

/** What was used of something that a customer owns, and what is left of it. */
export function usedOf({ first_used_at, ends_at, remaining, state }: Right): string {
  const left = [
    ...(remaining.downloads === null ? [] : [t('rights.left.downloads', { count: remaining.downloads })]),
    ...(remaining.devices === null ? [] : [t('rights.left.devices', { count: remaining.devices })]),
  ]
  return [
    first_used_at === null ? t('rights.unused') : t('rights.used', { time: dayAndTime(first_used_at) }),
    // Before the first use, the terms say it.
    ...(ends_at === null || first_used_at === null ? [] : [t('rights.ends', { time: dayAndTime(ends_at) })]),
    // Of what was taken back nothing is left, whatever the counts say.
    ...(left.length === 0 || state === 'revoked' ? [] : [t('rights.left.all', { list: list(left) })]),
  ].join(' ')
}

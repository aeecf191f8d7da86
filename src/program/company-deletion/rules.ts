import type { DeletionSettings } from '#platform/settings/operator-settings.ts'

const DAY_MS = 86_400_000

/** The day on which a company is deleted whose owner asks for it now. */
export function dueAfter(now: Date, { waitDays }: DeletionSettings): Date {
  return new Date(now.getTime() + waitDays * DAY_MS)
}

/** Books are kept for whole calendar years, from the end of the year in which the company ends. */
export function keptUntil(due: Date, { booksYears }: DeletionSettings): Date {
  return new Date(Date.UTC(due.getUTCFullYear() + 1 + booksYears, 0, 1))
}

/** A name that is typed to confirm: spaces around it and upper case make no difference. */
export function isSameName(typed: string, name: string): boolean {
  const plain = (text: string) => text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
  return plain(typed) === plain(name)
}

import { beginningOf, dayOf, lastDayBefore } from '../ui/charts/days.ts'
import { centsIn, timeOf } from '../words/format.ts'
import type { Discount, DiscountInput } from './queries.ts'

export type DiscountDraft = {
  code: string
  type: Discount['type']
  /** Percent, or an amount in the currency of the shop. */
  worth: string
  /** Days where the reader is; empty: none. */
  starts: string
  ends: string
  limit: string
}

export const NEW_DISCOUNT: DiscountDraft = { code: '', type: 'percentage', worth: '', starts: '', ends: '', limit: '' }

export function draftOf({ discount }: { discount: Discount }): DiscountDraft {
  const { code, type, amount, starts_at, ends_at, usage_limit } = discount
  return {
    code,
    type,
    worth: type === 'percentage' ? String(amount) : (amount / 100).toFixed(2),
    starts: starts_at === null ? '' : dayOf(timeOf(starts_at)),
    ends: ends_at === null ? '' : lastDayBefore(ends_at),
    limit: usage_limit === null ? '' : String(usage_limit),
  }
}

/** What was typed as percent or as an amount in cents; undefined if it is neither. */
export function worthIn({ type, worth }: DiscountDraft): number | undefined {
  if (type === 'fixed_amount') return centsIn(worth)
  const text = worth.trim().replace(',', '.')
  return /^\d{1,3}(\.\d{1,2})?$/.test(text) ? Number(text) : undefined
}

export const isLimit = (typed: string) => /^\d{0,9}$/.test(typed.trim())

export const isReadable = (draft: DiscountDraft) => worthIn(draft) !== undefined && isLimit(draft.limit)

const limitIn = (typed: string) => (typed.trim() === '' ? null : Number(typed))

export function inputOf(draft: DiscountDraft): DiscountInput {
  return {
    code: draft.code.trim(),
    type: draft.type,
    amount: worthIn(draft) ?? 0,
    starts_at: draft.starts === '' ? null : beginningOf(draft.starts),
    ends_at: draft.ends === '' ? null : beginningOf(draft.ends, 1),
    usage_limit: limitIn(draft.limit),
  }
}

/** What differs, as the API takes it. A day that nobody has changed keeps its hour. */
export function changesIn(before: DiscountDraft, after: DiscountDraft): Partial<DiscountInput> {
  const now = inputOf(after)
  return {
    ...(before.code === after.code ? {} : { code: now.code }),
    ...(before.type === after.type && before.worth === after.worth ? {} : { type: now.type, amount: now.amount }),
    ...(before.starts === after.starts ? {} : { starts_at: now.starts_at ?? null }),
    ...(before.ends === after.ends ? {} : { ends_at: now.ends_at ?? null }),
    ...(before.limit === after.limit ? {} : { usage_limit: now.usage_limit ?? null }),
  }
}

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 8

/** A code that is easy to read out. */
export function makeUpCode(): string {
  return [...crypto.getRandomValues(new Uint8Array(LENGTH))].map((byte) => LETTERS[byte % LETTERS.length]).join('')
}

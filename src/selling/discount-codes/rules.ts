import {
  endBeforeStart,
  fieldNotAllowed,
  fieldOutOfRange,
  fieldRequired,
  timeInvalid,
} from '#platform/errors/faults.ts'
import { type Fault, FieldReport } from '#platform/errors/problem.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { parseTime } from '#platform/wire/times.ts'
import { codeExpired, codeNotYetValid, codeUsedUp } from './errors.ts'
import { DISCOUNT_TYPES, type DiscountCodeChange, type DiscountCodeInput } from './schema.ts'
import type { DiscountCodeState } from './state.ts'

const CENTS_MAX = 9_999_999_999

/** Creates a discount code from an input. Throws with all faults at once. */
export function newDiscountCode(companyId: number, id: number, input: DiscountCodeInput, now: Date): DiscountCodeState {
  const blank: DiscountCodeState = {
    company_id: companyId,
    id,
    code: '',
    type: 'percentage',
    amount: 0,
    starts_at: null,
    ends_at: null,
    usage_limit: null,
    used: 0,
    created_at: now,
    updated_at: now,
  }
  return changeDiscountCode(blank, input, now)
}

/** The discount code after a change: fields that the input does not name stay. Throws with all faults at once. */
export function changeDiscountCode(before: DiscountCodeState, input: DiscountCodeChange, now: Date): DiscountCodeState {
  const report = new FieldReport()
  reportUnstorable(input, report)
  const type = DISCOUNT_TYPES.find((known) => known === (input.type ?? before.type))
  if (type === undefined) report.add('type', fieldNotAllowed(DISCOUNT_TYPES))
  const after: DiscountCodeState = {
    ...before,
    code: (input.code ?? before.code).trim(),
    type: type ?? before.type,
    amount: input.amount ?? before.amount,
    starts_at: input.starts_at === undefined ? before.starts_at : readMoment(input.starts_at, 'starts_at', report),
    ends_at: input.ends_at === undefined ? before.ends_at : readMoment(input.ends_at, 'ends_at', report),
    usage_limit: input.usage_limit === undefined ? before.usage_limit : input.usage_limit,
    updated_at: now,
  }
  const { code, starts_at, ends_at, usage_limit, used } = after
  if (code === '') report.add('code', fieldRequired())
  if (type !== undefined) checkAmount(after, report)
  if (starts_at !== null && ends_at !== null && ends_at <= starts_at)
    report.add('ends_at', endBeforeStart('must be after starts_at'))
  if (usage_limit !== null && usage_limit < used)
    report.add('usage_limit', fieldOutOfRange(`must be at least ${used}, because so many orders have used it`))
  report.throwIfAny()
  return after
}

/** Percent have at most two decimals, cents none. */
function checkAmount({ amount, type }: DiscountCodeState, report: FieldReport): void {
  if (type === 'percentage' && !(amount >= 0.01 && amount <= 100 && hasTwoDecimals(amount)))
    report.add('amount', fieldOutOfRange('must be percent from 0.01 to 100, with two decimals at most'))
  if (type === 'fixed_amount' && !(Number.isSafeInteger(amount) && amount > 0 && amount <= CENTS_MAX))
    report.add('amount', fieldOutOfRange(`must be whole cents from 1 to ${CENTS_MAX}`))
}

const hasTwoDecimals = (amount: number) => Math.round(amount * 100) / 100 === amount

function readMoment(text: string | null, path: string, report: FieldReport): Date | null {
  if (text === null) return null
  const time = parseTime(text)
  if (time === undefined) report.add(path, timeInvalid('is not a time'))
  return time ?? null
}

/** Why a code cannot be used now; undefined if it can. */
export function objectionToCode(code: DiscountCodeState, now: Date): Fault | undefined {
  if (code.starts_at !== null && now < code.starts_at) return codeNotYetValid()
  if (code.ends_at !== null && now >= code.ends_at) return codeExpired()
  if (code.usage_limit !== null && code.used >= code.usage_limit) return codeUsedUp()
  return undefined
}

/** Case and surrounding blanks do not matter. As in PostgreSQL, `ß` does not become `SS`. */
export function oneSpelling(code: string): string {
  return code.trim().replace(/./gsu, (letter) => {
    const capital = letter.toUpperCase()
    return [...capital].length === 1 ? capital : letter
  })
}

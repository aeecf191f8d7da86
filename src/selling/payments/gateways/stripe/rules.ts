import type { Means } from '../gateway.ts'

/** Currencies whose amounts Stripe takes in whole units, as its documentation lists them. */
const ZERO_DECIMALS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))

/** Currencies whose amounts Stripe takes in thousandths. */
const THREE_DECIMALS = new Set('BHD JOD KWD OMR TND'.split(' '))

/** How many of Stripe's smallest units a hundredth is. */
function unitsPerCent(currency: string): number {
  if (ZERO_DECIMALS.has(currency)) return 0.01
  return THREE_DECIMALS.has(currency) ? 10 : 1
}

/** An amount as Stripe takes it; undefined if Stripe cannot charge it, such as half a yen. */
export function toMinorUnits(cents: number, currency: string): number | undefined {
  const units = Math.round(cents * unitsPerCent(currency))
  return toCents(units, currency) === cents ? units : undefined
}

/** An amount of Stripe in hundredths, as everything here is counted. */
export function toCents(units: number, currency: string): number {
  return Math.round(units / unitsPerCent(currency.toUpperCase()))
}

/** Was a signature made within so many seconds of now? Stripe's own library lets dates in the future pass. */
export function isTimely(signature: string, nowSeconds: number, toleranceSeconds: number): boolean {
  const times = signature.split(',').filter((part) => part.startsWith('t='))
  const [time = ''] = times
  return (
    times.length === 1 && /^t=\d{1,12}$/.test(time) && Math.abs(nowSeconds - Number(time.slice(2))) <= toleranceSeconds
  )
}

/** Why a bank does not pay, in the word of Stripe that says most. */
export function failureOf({ code, decline_code }: { code?: string | null; decline_code?: string | null }): string {
  // The library has an empty text where Stripe says nothing.
  const word = decline_code || code || GENERIC
  return word === GENERIC ? 'card_declined' : word
}

const GENERIC = 'generic_decline'

/** The part of a means of payment that its type names. */
type MethodPart = {
  brand?: string | null
  display_brand?: string | null
  last4?: string | null
  exp_year?: number | null
  exp_month?: number | null
}

type Method = { type: string; card?: MethodPart; sepa_debit?: MethodPart; us_bank_account?: MethodPart }

/** Names that are not made by writing the words of Stripe with capitals. */
const NAMES: Readonly<Record<string, string>> = {
  amex: 'American Express',
  jcb: 'JCB',
  paypal: 'PayPal',
  sepa_debit: 'SEPA',
  unionpay: 'UnionPay',
  us_bank_account: 'ACH',
}

const nameOf = (word: string) =>
  (Object.hasOwn(NAMES, word) ? NAMES[word] : undefined) ??
  word
    .split('_')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(' ')

/** By what a customer knows a means of payment. */
export function describeMethod({ type, card, sepa_debit, us_bank_account }: Method): Means {
  const part = card ?? sepa_debit ?? us_bank_account ?? {}
  const { exp_year, exp_month } = part
  return {
    brand: nameOf(part.display_brand ?? part.brand ?? type),
    last4: part.last4 ?? null,
    expires: exp_year && exp_month ? `${exp_year}-${String(exp_month).padStart(2, '0')}` : null,
  }
}

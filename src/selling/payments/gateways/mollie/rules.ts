import type { Report } from '../../state.ts'
import type { Charged, Means } from '../gateway.ts'
import type { MollieAmount, MollieMandate, MolliePayment, MollieRefund } from './answers.schema.ts'

/** Currencies without smaller units, as Mollie's documentation lists them. All others have two decimals. */
const ZERO_DECIMALS = new Set(['ISK', 'JPY'])

/** An amount as Mollie takes it; undefined if Mollie cannot charge it, such as half a yen. */
export function toAmount(cents: number, currency: string): MollieAmount | undefined {
  const whole = String(Math.floor(cents / 100))
  const part = cents % 100
  if (!ZERO_DECIMALS.has(currency)) return { currency, value: `${whole}.${String(part).padStart(2, '0')}` }
  return part === 0 ? { currency, value: whole } : undefined
}

/** An amount of Mollie in hundredths, as everything here is counted. */
export function toCents({ value }: MollieAmount): number {
  const [whole, part = '0'] = value.split('.')
  return Number(whole) * 100 + Number(part)
}

/** What has become of a payment. */
export function reportOf(payment: MolliePayment): Report {
  const { id: reference, status, amount, method, sequenceType } = payment
  switch (status) {
    case 'paid':
      return { kind: 'paid', amountCents: toCents(amount), currency: amount.currency, reference }
    // The money is promised, and Mollie takes it later.
    case 'authorized':
    case 'pending':
      return { kind: 'pending', reference }
    case 'failed':
      return { kind: 'failed', failure: failureOf(payment) }
    case 'canceled':
    case 'expired':
      return { kind: 'cancelled' }
    default:
      // Who has chosen a bank transfer has done everything on the page of Mollie, and the money takes days. Nobody has to do
      // anything about a charge without the customer.
      return method === 'banktransfer' || sequenceType === 'recurring'
        ? { kind: 'pending', reference }
        : { kind: 'open' }
  }
}

function failureOf({ details, statusReason }: MolliePayment): string {
  return details?.failureReason ?? statusReason?.code ?? details?.bankReasonCode ?? 'failed'
}

/** What has become of a charge without the customer. */
export function chargedOf(payment: MolliePayment): Charged {
  const report = reportOf(payment)
  if (report.kind === 'cancelled') return { kind: 'failed', failure: payment.status }
  return report.kind === 'open' ? { kind: 'pending', reference: payment.id } : report
}

/** By what a customer knows a means of payment. */
export function describeMandate({ method, details }: MollieMandate): Means {
  const { cardLabel, cardNumber, cardExpiryDate, consumerAccount } = details ?? {}
  if (method === 'directdebit') return { brand: 'SEPA', last4: consumerAccount?.slice(-4) ?? null, expires: null }
  if (method === 'paypal') return { brand: 'PayPal', last4: null, expires: null }
  return { brand: cardLabel ?? 'Card', last4: cardNumber ?? null, expires: cardExpiryDate?.slice(0, 7) ?? null }
}

/** A refund that returns nothing: the bank has refused it, or somebody has stopped it in Mollie's dashboard. */
export function hasFailed({ status }: MollieRefund): boolean {
  return status === 'failed' || status === 'canceled'
}

/** Is there a refund that failed, and that no later one of the same amount has made good? */
export function isMoneyMissing(refunds: readonly MollieRefund[]): boolean {
  const madeGood = (failed: MollieRefund) =>
    refunds.some(
      (other) =>
        !hasFailed(other) &&
        toCents(other.amount) === toCents(failed.amount) &&
        Date.parse(other.createdAt) > Date.parse(failed.createdAt),
    )
  return refunds.some((refund) => hasFailed(refund) && !madeGood(refund))
}

const LOCALES: Readonly<Record<string, string>> = {
  en: 'en_US',
  de: 'de_DE',
  fr: 'fr_FR',
  es: 'es_ES',
  it: 'it_IT',
  pt: 'pt_PT',
}

/** Mollie chooses by the browser where the shop has another language. */
export function localeOf(language: string): string | undefined {
  return Object.hasOwn(LOCALES, language) ? LOCALES[language] : undefined
}

/** Hosts that only the machine itself or its own network knows. */
const NEARBY = /^(localhost|.*\.(localhost|local|internal|test)|\[.*\]|\d+\.\d+\.\d+\.\d+|[^.]+)$/

/** Can Mollie reach an address? It refuses payments whose webhook it cannot reach, as on a developer's desk. */
export function isReachable(url: string): boolean {
  return !NEARBY.test(new URL(url).hostname)
}

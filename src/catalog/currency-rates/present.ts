import { wireTime } from '#platform/wire/times.ts'
import type { CurrencyRate } from './schema.ts'

export function presentRate(rate: { currency: string; rate_to_eur: number; quoted_at: Date }): CurrencyRate {
  return { currency: rate.currency, rate_to_eur: rate.rate_to_eur, date: wireTime(rate.quoted_at) }
}

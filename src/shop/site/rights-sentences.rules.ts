import type { Clause } from '#rights/entitlements/rights/clauses.rules.ts'
import type { Refusal } from '#rights/entitlements/rights/rules.ts'
import { clausesInWords, type Described, refusalInWords } from '#rights/entitlements/rights/sentences.rules.ts'
import type { Rights } from '#rights/entitlements/rights/state.ts'
import { formatsOf } from '#shop/themes/formats.rules.ts'

/** Pages write days as their theme does. The API says the hour too, because apps may depend on it. */
const daysIn = (language: string) => (time: Date) => formatsOf(language).date(time, 'long')

/** What a customer may do with it, one sentence for each clause. */
export function clausesOnPage(rights: Described, language: string): { kind: Clause['kind']; text: string }[] {
  return clausesInWords(rights, language, daysIn(language))
}

/** Why something is refused. */
export function refusalOnPage(refusal: Refusal, rights: Rights, now: Date, language: string): string {
  return refusalInWords(refusal, rights, now, language, daysIn(language))
}

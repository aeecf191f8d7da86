import type { Clause, Described } from '#rights/entitlements/rights/clauses.rules.ts'
import type { Refusal } from '#rights/entitlements/rights/rules.ts'
import { clausesInWords, refusalInWords } from '#rights/entitlements/rights/sentences.rules.ts'
import type { Rights } from '#rights/entitlements/rights/state.ts'
import { dateIn, type Place } from '#shop/themes/formats.rules.ts'

/** Pages write days as their theme does. The API says the hour too, because apps may depend on it. */
export const daysIn = (place: Place) => (time: Date) => dateIn(place, time)

/** What a customer may do with it, one sentence for each clause. */
export function clausesOnPage(rights: Described, place: Place): { kind: Clause['kind']; text: string }[] {
  return clausesInWords(rights, place.language, daysIn(place))
}

/** Why something is refused. */
export function refusalOnPage(refusal: Refusal, rights: Rights, now: Date, place: Place): string {
  return refusalInWords(refusal, rights, now, place.language, daysIn(place))
}

import { allowsCountry } from '#catalog/licenses/rules.ts'
import { wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import { presentDecision, presentExplanation } from '../present.ts'
import { refusalInWords } from '../rights/sentences.rules.ts'
import { horizonOf, type Step, spansUntil, type Trial, tryOut } from './rules.ts'
import type { LicenseTrial } from './schema.ts'

/** What would come of a situation under a license. */
export function presentTrial({ license, situation, country, until }: Trial, language: string): LicenseTrial {
  const { uses, answer } = tryOut(situation)
  const { before, ask, code, after } = answer
  const { at } = situation.asked
  const end = until ?? horizonOf(situation)
  return {
    sold: country === undefined || allowsCountry(license, country),
    explanation: {
      ...presentExplanation(before, ask, code, language, at),
      decision: presentDecision(before, { code, shown: after, language }, at),
    },
    first_used_at: wireTimeOrNull(before.first_used_at),
    uses: uses.map((each) => presentStep(each, language)),
    periods: spansUntil(situation, end).map((span) => ({ from: wireTime(span.from), code: span.code })),
    until: wireTime(end),
  }
}

function presentStep({ use, before, code }: Step, language: string): LicenseTrial['uses'][number] {
  return {
    at: wireTime(use.at),
    action: use.action,
    code,
    reason: code === 'allowed' ? null : refusalInWords(code, before, use.at, language),
  }
}

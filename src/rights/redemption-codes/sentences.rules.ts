import { translatorOf } from '#platform/text/messages.ts'
import { clausesInWords } from '#rights/entitlements/rights/sentences.rules.ts'
import type { RedemptionCodeState } from './state.ts'

type Described = Pick<
  RedemptionCodeState,
  'group_id' | 'member_until' | 'member_days' | 'terms' | 'num_users' | 'contents'
>

/** What a code allows, one sentence each: the terms of the license, or how long the membership lasts. */
export function codeInWords(code: Described, language: string, day: (time: Date) => string): string[] {
  if (code.group_id === null) {
    const rights = { terms: code.terms, product_type: code.contents[0]?.product_type ?? 0, users: code.num_users ?? 1 }
    return clausesInWords(rights, language, day).map(({ text }) => text)
  }
  const t = translatorOf(language)
  if (code.member_days !== null) return [t('rights.member.days', { count: code.member_days })]
  return [
    code.member_until === null ? t('rights.member.open') : t('rights.member.until', { date: day(code.member_until) }),
  ]
}

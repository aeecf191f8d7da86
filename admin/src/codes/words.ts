import type { Tone } from '../ui/page.tsx'
import { count, shortTime, timeOf } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Code } from './queries.ts'

const TONES: Record<Code['state'], Tone> = {
  active: 'ok',
  on_hold: 'wait',
  used_up: 'draft',
  expired: 'draft',
  revoked: 'bad',
}

export const stateOf = ({ state }: Code): { tone: Tone; text: string } => ({
  tone: TONES[state],
  text: t(`codes.states.${state}`),
})

export const usesOf = ({ used, uses }: Code): string => t('codes.uses', { used: count(used), uses: count(uses) })

/** The day of the last moment before an end. */
const lastMomentOf = (end: string) => shortTime(new Date(timeOf(end).getTime() - 1000).toISOString().slice(0, 19))

/** The last moment at which a code can be redeemed. */
export function endOf({ expires_at }: Code): string {
  return expires_at === null ? t('codes.for_ever') : lastMomentOf(expires_at)
}

/** How long somebody is a member who redeems a code. */
export function membershipInWords({ member_until, member_days }: Code): string {
  if (member_days !== null) return t('codes.member.days', { count: member_days })
  return member_until === null ? t('codes.member.open') : t('codes.member.until', { date: lastMomentOf(member_until) })
}

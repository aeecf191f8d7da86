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

/** The last moment at which a code can be redeemed. */
export function endOf({ expires_at }: Code): string {
  if (expires_at === null) return t('codes.for_ever')
  return shortTime(new Date(timeOf(expires_at).getTime() - 1000).toISOString().slice(0, 19))
}

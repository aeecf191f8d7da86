import type { Tone } from '../ui/page.tsx'
import { shortTime, timeOf } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { State } from './search.ts'

const TONES: Record<State, Tone> = {
  confirmed: 'ok',
  pending: 'wait',
  unsubscribed: 'draft',
  active: 'ok',
  not_started: 'wait',
  ended: 'draft',
}

export function stateOf(state: State): { tone: Tone; text: string } {
  return { tone: TONES[state], text: t(`audience.states.${state}`) }
}

/** The last day of somebody's time: what ends at midnight counts until the day before. */
export function untilText(wire: string | null): string {
  if (wire === null) return t('audience.no_end')
  return shortTime(new Date(timeOf(wire).getTime() - 1000).toISOString().slice(0, 19))
}

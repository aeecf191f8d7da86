import type { Schemas } from '@licet/client'
import { Chip, type Tone } from '../ui/page.tsx'
import { t } from '../words/words.ts'

export type Right = Schemas['Entitlement']

const TONES: Record<Right['state'], Tone> = {
  active: 'ok',
  not_started: 'wait',
  suspended: 'wait',
  expired: 'draft',
  revoked: 'bad',
}

/** How something that a customer owns stands. */
export function RightChip({ right }: { right: Right }) {
  return <Chip tone={TONES[right.state]}>{t(`rights.states.${right.state}`)}</Chip>
}

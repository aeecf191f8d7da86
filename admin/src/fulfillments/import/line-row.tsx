import { useId } from 'react'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { t } from '../../words/words.ts'
import type { Line, Plan } from './lines.ts'

type LineRowProps = {
  line: Line
  /** Counted from one. */
  place: number
  plan: Plan
  set: (part: Partial<Line>) => void
  remove: () => void
}

const FIELDS = [
  { name: 'order', label: 'fulfillments.file.order_of', maxLength: 20 },
  { name: 'carrier', label: 'fulfillments.file.carrier_of', maxLength: 100 },
  { name: 'number', label: 'fulfillments.file.number_of', maxLength: 200 },
] as const

/** A line of the list, with what it will do below its fields. */
export function LineRow({ line, place, plan, set, remove }: LineRowProps) {
  const saidId = useId()
  const isWrong = plan.kind === 'wrong'
  return (
    <li className="wraps">
      <span className="import-fields">
        {FIELDS.map(({ name, label, maxLength }) => (
          <input
            key={name}
            className="input"
            aria-label={t(label, { line: place })}
            aria-describedby={saidId}
            aria-invalid={isWrong && name === 'order'}
            value={line[name]}
            maxLength={maxLength}
            disabled={plan.kind === 'done'}
            onChange={({ target }) => set({ [name]: target.value })}
          />
        ))}
        <Button
          look="plain"
          icon="close"
          aria-label={t('fulfillments.file.remove', { line: place })}
          onClick={remove}
        />
      </span>
      <span id={saidId} className={isWrong ? 'small wrong' : 'small muted'}>
        {plan.kind === 'done' && <Icon name="check" size={14} />} {plan.text}
      </span>
    </li>
  )
}

import { beginningOf, dayOf, lastDayBefore } from '../ui/charts/days.ts'
import type { ErrorAt } from '../ui/forms/editing.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { timeOf } from '../words/format.ts'
import { t } from '../words/words.ts'

/** A group and the days of it, where the reader is; empty: no bound. */
export type Period = { group: string; starts: string; ends: string }

export const NO_PERIOD: Period = { group: '', starts: '', ends: '' }

/** The period as fields have it, from the times of the API. */
export const periodOf = (group: string, start: string | null, end: string | null): Period => ({
  group,
  starts: start === null ? '' : dayOf(timeOf(start)),
  ends: end === null ? '' : lastDayBefore(end),
})

export const startIn = ({ starts }: Period) => (starts === '' ? null : beginningOf(starts))

/** The last day counts. */
export const endIn = ({ ends }: Period) => (ends === '' ? null : beginningOf(ends, 1))

type FieldsProps = {
  part: 'members' | 'subscribers'
  period: Period
  set: (part: Partial<Period>) => void
  errorAt: ErrorAt
}

/** Which group somebody is in, and until when. Members can begin later, too. */
export function PeriodFields({ part, period, set, errorAt }: FieldsProps) {
  const until = (
    <TextField
      type="date"
      label={t('audience.columns.until')}
      hint={t('audience.until_hint')}
      value={period.ends}
      onValue={(ends) => set({ ends })}
      error={errorAt(part === 'members' ? 'end_at' : 'ends_at')}
    />
  )
  return (
    <>
      <TextField
        label={t('audience.columns.group')}
        hint={t(`audience.${part}.group_hint`)}
        value={period.group}
        onValue={(group) => set({ group: group.trim().toLowerCase() })}
        error={errorAt('group_id')}
        maxLength={20}
      />
      {part === 'subscribers' ? (
        until
      ) : (
        <div className="pair">
          <TextField
            type="date"
            label={t('audience.columns.from')}
            hint={t('audience.from_hint')}
            value={period.starts}
            onValue={(starts) => set({ starts })}
            error={errorAt('start_at')}
          />
          {until}
        </div>
      )}
    </>
  )
}

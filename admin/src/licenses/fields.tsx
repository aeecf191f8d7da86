import { type ReactNode, useId } from 'react'
import type { ErrorAt } from '../ui/forms/editing.tsx'
import { t } from '../words/words.ts'
import { type Draft, type Period, type Times, UNITS, type Unit } from './draft.ts'

export type FieldsProps = { draft: Draft; set: (part: Partial<Draft>) => void; errorAt: ErrorAt }

/** A line of the editor: what it is about on the left, its fields on the right. */
export function Setting({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="setting">
      <legend className="hidden">{title}</legend>
      <span className="strong" aria-hidden="true">
        {title}
      </span>
      <div className="setting-fields">{children}</div>
    </fieldset>
  )
}

const digits = (typed: string) => typed.replace(/\D/g, '').slice(0, 9)

type NumberProps = { label: string; value: string; onValue: (typed: string) => void; error: string | undefined }

function NumberInput({ label, value, onValue, error }: NumberProps) {
  const id = useId()
  return (
    <>
      <input
        className="input number"
        inputMode="numeric"
        aria-label={label}
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : id}
        onChange={({ target }) => onValue(digits(target.value))}
      />
      {error !== undefined && (
        <p id={id} className="hint wrong">
          {error}
        </p>
      )}
    </>
  )
}

type PeriodProps = { label: string; period: Period; onPeriod: (period: Period) => void; error: string | undefined }

/** A number of hours, days or months. */
export function PeriodInput({ label, period, onPeriod, error }: PeriodProps) {
  return (
    <>
      <NumberInput
        label={label}
        value={period.typed}
        onValue={(typed) => onPeriod({ ...period, typed })}
        error={error}
      />
      <select
        className="input unit"
        aria-label={t('licenses.unit_of', { name: label })}
        value={period.unit}
        onChange={({ target }) => onPeriod({ ...period, unit: target.value as Unit })}
      >
        {UNITS.map((unit) => (
          <option key={unit} value={unit}>
            {t(`licenses.units.${unit}`)}
          </option>
        ))}
      </select>
    </>
  )
}

type TimesProps = {
  label: string
  /** What follows the number. */
  unit?: string
  times: Times
  onTimes: (times: Times) => void
  error: string | undefined
  /** Is it senseless to allow none? */
  isNeverNone?: boolean
}

/** How often: without a limit, never, or up to a number. */
export function TimesInput({ label, unit, times, onTimes, error, isNeverNone = false }: TimesProps) {
  const kinds = isNeverNone && times.kind !== 'none' ? (['any', 'some'] as const) : (['any', 'some', 'none'] as const)
  return (
    <div className="in-line">
      <span className="in-line-label">{label}</span>
      <select
        className="input unit"
        aria-label={label}
        value={times.kind}
        onChange={({ target }) => onTimes({ ...times, kind: target.value as Times['kind'] })}
      >
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {t(`licenses.times.${kind}`)}
          </option>
        ))}
      </select>
      {times.kind === 'some' && (
        <NumberInput
          label={t('licenses.number_of', { name: label })}
          value={times.typed}
          onValue={(typed) => onTimes({ ...times, typed })}
          error={error}
        />
      )}
      {times.kind === 'some' && unit !== undefined && <span>{unit}</span>}
      {times.kind !== 'some' && error !== undefined && <p className="hint wrong">{error}</p>}
    </div>
  )
}

type RadioProps = { name: string; isOn: boolean; choose: () => void; label: string; children?: ReactNode }

/** One of several ways, with its own fields while it is chosen. */
export function Way({ name, isOn, choose, label, children }: RadioProps) {
  return (
    <div className="in-line">
      <label className="check">
        <input type="radio" name={name} checked={isOn} onChange={choose} />
        <span>{label}</span>
      </label>
      {isOn && children}
    </div>
  )
}

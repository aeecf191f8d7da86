import { type KeyboardEventHandler, type ReactNode, useEffect, useId } from 'react'

type FieldProps = {
  label: string
  hint?: string
  error?: string | undefined
  children: (id: string, describedBy: string | undefined) => ReactNode
}

/** A field with its label, and what is wrong with it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const said = error ?? hint
  // Whoever has pressed the button of a form is led to its first mistake, which may be out of sight.
  useEffect(() => {
    const field = error === undefined ? null : document.getElementById(id)
    const isFirst = field?.closest('form')?.querySelector('[aria-invalid="true"]') === field
    const { activeElement } = document
    if (isFirst && (activeElement === document.body || activeElement instanceof HTMLButtonElement)) field?.focus()
  }, [error, id])
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id, said === undefined ? undefined : `${id}-said`)}
      {said !== undefined && (
        <p id={`${id}-said`} className={error === undefined ? 'hint' : 'hint wrong'}>
          {said}
        </p>
      )}
    </div>
  )
}

type TextFieldProps = {
  label: string
  value: string
  onValue: (value: string) => void
  hint?: string
  error?: string | undefined
  maxLength?: number
  /** What password managers and links to the field go by. */
  name?: string
  type?: 'text' | 'email' | 'tel' | 'password' | 'date'
  autoComplete?: string
  inputMode?: 'numeric'
  /** The id of a list of what can be typed. */
  list?: string
  onKeyDown?: KeyboardEventHandler<HTMLInputElement>
}

export function TextField({ label, value, onValue, hint, error, maxLength = 255, ...input }: TextFieldProps) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })} error={error}>
      {(id, describedBy) => (
        <input
          id={id}
          className="input"
          {...input}
          value={value}
          maxLength={maxLength}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  )
}

/** A box to tick, with its text beside it. */
export function Check({
  label,
  isOn,
  onChange,
  isDisabled = false,
}: {
  label: ReactNode
  isOn: boolean
  onChange: (isOn: boolean) => void
  isDisabled?: boolean
}) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  )
}

type TextAreaProps = Pick<TextFieldProps, 'label' | 'value' | 'onValue' | 'hint' | 'error' | 'maxLength'>

/** A text of several lines. */
export function TextArea({ label, value, onValue, hint, error, maxLength = 65_535 }: TextAreaProps) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })} error={error}>
      {(id, describedBy) => (
        <textarea
          id={id}
          className="input"
          rows={5}
          value={value}
          maxLength={maxLength}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  )
}

type SelectFieldProps<Value extends string> = {
  label: string
  value: Value
  onValue: (value: Value) => void
  options: readonly { value: Value; title: string }[]
  hint?: string
  error?: string | undefined
  name?: string
}

/** One of several, from a list. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, value, onValue, options, hint, error, ...select } = props
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })} error={error}>
      {(id, describedBy) => (
        <select
          id={id}
          className="input"
          {...select}
          value={value}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy}
          onChange={({ target }) => onValue(options.find((each) => each.value === target.value)?.value ?? value)}
        >
          {options.map((each) => (
            <option key={each.value} value={each.value}>
              {each.title}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** A day, as `2026-11-17`; empty: none. */
export function DayField({ label, value, onValue }: { label: string; value: string; onValue: (day: string) => void }) {
  return (
    <Field label={label}>
      {(id) => (
        <input
          id={id}
          className="input"
          type="date"
          value={value}
          max="9999-12-31"
          onChange={({ target }) => onValue(target.value)}
        />
      )}
    </Field>
  )
}

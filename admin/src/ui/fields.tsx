import { type ReactNode, useId } from 'react'

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
}

export function TextField({ label, value, onValue, hint, error, maxLength = 255 }: TextFieldProps) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })} error={error}>
      {(id, describedBy) => (
        <input
          id={id}
          className="input"
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

type TextAreaProps = Omit<TextFieldProps, 'maxLength'>

/** A text of several lines. */
export function TextArea({ label, value, onValue, hint, error }: TextAreaProps) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })} error={error}>
      {(id, describedBy) => (
        <textarea
          id={id}
          className="input"
          rows={5}
          value={value}
          maxLength={65_535}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  )
}

import { useRef } from 'react'
import { Field } from '../ui/forms/fields.tsx'
import { t } from '../words/words.ts'
import { nameOfText } from './names.ts'
import type { MailText } from './queries.ts'

type MailTextFieldProps = {
  text: MailText
  value: string
  onValue: (value: string) => void
  error: string | undefined
}

/** A text of a mail, and the variables that it can name. A press puts one where the cursor is. */
export function MailTextField({ text, value, onValue, error }: MailTextFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const label = nameOfText(text.name)
  const insert = (variable: string) => {
    const [start, end] = [field.current?.selectionStart ?? value.length, field.current?.selectionEnd ?? value.length]
    onValue(`${value.slice(0, start)}{${variable}}${value.slice(end)}`)
    field.current?.focus()
  }
  return (
    <div className="mail-text">
      <Field label={label} error={error}>
        {(id, describedBy) => (
          <textarea
            ref={field}
            id={id}
            className="input"
            rows={value.length > 90 ? 3 : 1}
            value={value}
            maxLength={5000}
            aria-invalid={error !== undefined}
            aria-describedby={describedBy}
            onChange={({ target }) => onValue(target.value)}
          />
        )}
      </Field>
      {(text.variables.length > 0 || value !== text.standard) && (
        <div className="variables">
          {text.variables.length > 0 && <span className="muted small">{t('mails.insert')}</span>}
          {text.variables.map((variable) => (
            <button
              key={variable}
              type="button"
              className="variable"
              aria-label={t('mails.insert_into', { variable, text: label })}
              onClick={() => insert(variable)}
            >
              {`{${variable}}`}
            </button>
          ))}
          {value !== text.standard && (
            <button type="button" className="variable" onClick={() => onValue(text.standard)}>
              {t('mails.undo', { text: label })}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

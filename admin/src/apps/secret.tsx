import { CopyButton } from '../ui/copy.tsx'
import { Field } from '../ui/forms/fields.tsx'
import { t } from '../words/words.ts'

/** A value that is shown this once, to be copied. */
export function Secret({ label, value }: { label: string; value: string }) {
  return (
    <div className="stack">
      <Field label={label}>
        {(id) => (
          <div className="with-end">
            <input id={id} className="input code" readOnly value={value} onFocus={(event) => event.target.select()} />
            <CopyButton text={value} label={t('apps.copy', { what: label })} />
          </div>
        )}
      </Field>
      <p className="notice wait">{t('apps.shown_once')}</p>
    </div>
  )
}

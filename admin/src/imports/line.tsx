import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Chip } from '../ui/page.tsx'
import { count } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Mistake } from './queries.ts'
import { fieldTitle, mistakeText } from './words.ts'

type LineProps = {
  line: number
  mistakes: readonly Mistake[]
  /** What was typed instead; undefined: nothing yet. */
  typedOf: (mistake: Mistake) => string | undefined
  onValue: (mistake: Mistake, value: string) => void
  isSkipped: boolean
  skip: (isSkipped: boolean) => void
}

/** A line with mistakes: each value is mended where it is, or the line is left out. */
export function Line({ line, mistakes, typedOf, onValue, isSkipped, skip }: LineProps) {
  const isMended = mistakes.every((mistake) => mistake.field !== null && typedOf(mistake) !== undefined)
  const [first] = mistakes
  return (
    <section
      className={isSkipped || isMended ? 'import-line mended' : 'import-line'}
      aria-label={t('imports.line_name', { line: count(line) })}
    >
      <div className="import-line-head">
        <span className="muted figure">{t('imports.line_name', { line: count(line) })}</span>
        <span className="strong cut">{first?.name}</span>
        <span className="import-line-end">
          {isSkipped ? (
            <Chip tone="draft">{t('imports.left_out')}</Chip>
          ) : isMended ? (
            <Chip tone="ok">{t('imports.mended')}</Chip>
          ) : (
            <Chip tone="bad">{t('imports.wrong')}</Chip>
          )}
        </span>
      </div>
      <div className="import-line-body">
        <div className="stack">
          {!isSkipped &&
            mistakes.map((mistake) =>
              mistake.field === null ? (
                <p key={mistake.reason} className="hint wrong">
                  {mistakeText(mistake)}
                </p>
              ) : (
                <TextField
                  key={mistake.field}
                  label={mistake.column ?? fieldTitle(mistake.field)}
                  value={typedOf(mistake) ?? mistake.value ?? ''}
                  maxLength={20_000}
                  onValue={(value) => onValue(mistake, value)}
                  {...(typedOf(mistake) === undefined
                    ? { error: mistakeText(mistake) }
                    : { hint: t('imports.was', { value: mistake.value ?? t('imports.nothing') }) })}
                />
              ),
            )}
        </div>
        <Button look="plain" onClick={() => skip(!isSkipped)}>
          {isSkipped ? t('imports.take_line') : t('imports.leave_line')}
          <span className="hidden">{t('imports.line_name', { line: count(line) })}</span>
        </Button>
      </div>
    </section>
  )
}

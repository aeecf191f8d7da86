import { count } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Report } from './queries.ts'

/** What is imported all the same, but will not do what somebody may expect. */
export function Warnings({ report: { warnings, notes } }: { report: Report }) {
  if (warnings.length === 0 && notes.length === 0) return null
  return (
    <div className="notice wait import-warnings">
      <ul>
        {warnings.map(({ reason, message, count: lines, lines: first }) => (
          <li key={reason}>
            {message} {t('imports.in_lines', { count: lines, lines: first.map((line) => count(line)).join(', ') })}
          </li>
        ))}
        {notes.length > 0 && <li>{t('imports.variants', { count: notes.length })}</li>}
      </ul>
    </div>
  )
}

import { count } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Report } from './queries.ts'

const KNOWN = [
  'sale_left_out',
  'sale_refunded',
  'sale_unpaid',
  'sale_of_goods',
  'grouped_product',
  'external_product',
  'code_used_up',
  'code_expired',
  'code_revoked',
  'code_on_hold',
  'own_codes_in_a_row',
] as const

/** Why lines are skipped, or may be meant otherwise. Other sentences of the service are written for people, too. */
function warningText({ reason, message }: Report['warnings'][number]): string {
  const known = KNOWN.find((each) => each === reason)
  return known === undefined ? message : t(`imports.skipped.${known}`)
}

/** What is imported all the same, but will not do what somebody may expect. */
export function Warnings({ report: { warnings, notes } }: { report: Report }) {
  if (warnings.length === 0 && notes.length === 0) return null
  return (
    <div className="notice wait import-warnings">
      <ul>
        {warnings.map((warning) => (
          <li key={warning.message}>
            {warningText(warning)}{' '}
            {t('imports.in_lines', {
              count: warning.count,
              lines: warning.lines.map((line) => count(line)).join(', '),
            })}
          </li>
        ))}
        {notes.length > 0 && <li>{t('imports.variants', { count: notes.length })}</li>}
      </ul>
    </div>
  )
}

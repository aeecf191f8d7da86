import { useState } from 'react'
import { Card } from '../ui/page.tsx'
import { Segments } from '../ui/segments.tsx'
import { count } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Report } from './queries.ts'
import { fieldTitle, shownValue } from './words.ts'

const COLUMNS_MAX = 5

/** How lines without mistakes will look, for a glance before they are written. */
export function Examples({ report }: { report: Report }) {
  const actions = (['created', 'changed'] as const).filter((action) =>
    report.examples.some((each) => each.action === action),
  )
  const [wanted, setWanted] = useState<'created' | 'changed'>('created')
  const shown = actions.includes(wanted) ? wanted : actions[0]
  if (shown === undefined) return null
  const lines = report.examples.filter(({ action }) => action === shown)
  const fields = [...new Set(lines.flatMap(({ values }) => Object.keys(values)))]
    .filter((field) => field !== 'handle' && field !== 'description')
    .slice(0, COLUMNS_MAX)
  return (
    <Card
      title={t('imports.examples')}
      {...(actions.length > 1
        ? {
            end: (
              <Segments
                label={t('imports.which_lines')}
                values={actions.map((value) => ({ value, title: t(`imports.${value}_lines`) }))}
                chosen={shown}
                choose={setWanted}
              />
            ),
          }
        : { aside: t(`imports.${shown}_lines`) })}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls sideways is reached by keyboard */}
      <fieldset className="import-scroll" tabIndex={0} aria-label={t('imports.scrolls')}>
        <table className="import-table">
          <thead>
            <tr>
              <th scope="col" className="number">
                {t('imports.line')}
              </th>
              {fields.map((field) => (
                <th key={field} scope="col">
                  {fieldTitle(field)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map(({ line, values }) => (
              <tr key={line}>
                <td className="number muted figure">{count(line)}</td>
                {fields.map((field) => (
                  <td key={field}>
                    <span className="cut">{shownValue(field, values[field] ?? '')}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </fieldset>
    </Card>
  )
}

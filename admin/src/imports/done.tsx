import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/page.tsx'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { Changes } from './changes.tsx'
import { Examples } from './examples.tsx'
import type { Import } from './queries.ts'
import { LISTS } from './search.ts'
import { OfferUndo, Undone } from './undo.tsx'
import { Warnings } from './warnings.tsx'

function doneText(kind: Import['kind']) {
  if (kind === 'redemption_codes') return 'imports.done_codes'
  return kind === 'sales' ? 'imports.done_sales' : 'imports.done_text'
}

/** The last step: what was written, and where it is. */
export function Done({ file }: { file: Import }) {
  const { report, kind, imported_at, undo } = file
  const client = useQueryClient()
  // The worker has written it: what lists showed before is old.
  useEffect(() => {
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'imports' })
  }, [client])
  if (report === null) return null
  const another = (
    <ButtonLink to="/imports" search={kind === null ? {} : { kind }}>
      {t('imports.another')}
    </ButtonLink>
  )
  if (undo !== null) return <Undone undo={undo} actions={another} />
  return (
    <div className="columns">
      <div className="stack">
        <Card title={t('imports.done')} aside={imported_at === null ? '' : dayAndTime(imported_at)}>
          <div className="card-body stack">
            <p>{t(doneText(kind))}</p>
            <div className="actions">
              {kind !== null && (
                <ButtonLink look="primary" to={LISTS[kind]} search={{}}>
                  {t(`imports.show.${kind === 'sales' ? 'customers' : kind}`)}
                </ButtonLink>
              )}
              {another}
            </div>
          </div>
        </Card>
        <Warnings report={report} />
        <Examples report={report} />
      </div>
      <div className="stack">
        <Changes file={file} report={report} />
        <OfferUndo file={file} />
      </div>
    </div>
  )
}

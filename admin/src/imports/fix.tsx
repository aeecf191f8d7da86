import { ChangedError } from '@licet/client'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { problemText } from '../ui/problem.tsx'
import { count } from '../words/format.ts'
import { t } from '../words/words.ts'
import { Changes, Mapping } from './changes.tsx'
import { Examples } from './examples.tsx'
import { Line } from './line.tsx'
import { Matching } from './matching.tsx'
import { type Import, type Mistake, type Report, useCheck, useRun } from './queries.ts'
import { Warnings } from './warnings.tsx'

const keyOf = ({ line, field }: { line: number; field: string | null }) => `${line} ${field ?? ''}`
/** The file is checked again before more lines are shown, which is quicker than a page of hundreds of fields. */
const SHOWN = 50
/** The reason of sales whose product this shop does not know. */
const UNMATCHED = 'sale_product_unknown'

/** The third step: lines with mistakes are mended or left out, and what will change is shown. */
export function Fix({ file, etag }: { file: Import; etag: string }) {
  const report = file.report
  if (report === null) return null
  return (
    <div className="columns import-fix">
      <div className="stack">
        <Mend file={file} etag={etag} report={report} />
      </div>
      <aside className="stack" aria-label={t('imports.changes.title')}>
        <Changes file={file} report={report} />
        <Mapping file={file} />
      </aside>
    </div>
  )
}

function Mend({ file, etag, report }: { file: Import; etag: string; report: Report }) {
  const navigate = useNavigate()
  const check = useCheck(file.id)
  const run = useRun(file.id)
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map())
  const [skipped, setSkipped] = useState<ReadonlySet<number>>(new Set())
  // Unknown products are matched once for all of their lines.
  const mendable = report.mistakes.filter(({ reason }) => reason !== UNMATCHED)
  const lines = [...Map.groupBy(mendable, ({ line }) => line)]
  const isMended = (line: number, mistakes: readonly Mistake[]) =>
    skipped.has(line) || mistakes.every((mistake) => mistake.field !== null && typed.has(keyOf(mistake)))
  const mended = lines.filter(([line, mistakes]) => isMended(line, mistakes))
  const open = lines.filter(([line, mistakes]) => !isMended(line, mistakes))
  const isDecided = typed.size > 0 || skipped.size > 0
  const ready = file.total - report.counts.refused
  const checkWith = (leftOut: Iterable<number>) => {
    const fixes = new Map(file.fixes.map((fix) => [keyOf(fix), fix]))
    for (const [key, value] of typed) {
      const { line, field } = report.mistakes.find((each) => keyOf(each) === key) ?? { line: 0, field: null }
      if (field !== null) fixes.set(key, { line, field, value })
    }
    check.mutate({
      input: { fixes: [...fixes.values()], left_out: [...new Set([...file.left_out, ...leftOut])] },
      etag,
    })
  }
  const start = () =>
    run.mutate(undefined, {
      onSuccess: () =>
        void navigate({ to: '/imports/$id', params: { id: String(file.id) }, search: { step: 'import' } }),
    })
  const failed = check.error ?? run.error
  const isStale = file.state === 'draft'
  return (
    <>
      <Matching file={file} etag={etag} report={report} />
      {lines.length > 0 && (
        <Card
          title={t('imports.lines_to_fix')}
          aside={t('imports.fixed_of', { done: count(mended.length), total: count(report.counts.refused) })}
        >
          <progress
            className="progress import-mended"
            value={mended.length}
            max={report.counts.refused}
            aria-label={t('imports.lines_to_fix')}
          />
          {lines.slice(0, SHOWN).map(([line, mistakes]) => (
            <Line
              key={line}
              line={line}
              mistakes={mistakes}
              typedOf={(mistake) => typed.get(keyOf(mistake))}
              onValue={(mistake, value) => setTyped((now) => new Map(now).set(keyOf(mistake), value))}
              isSkipped={skipped.has(line)}
              skip={(isSkipped) => {
                const next = new Set(skipped)
                if (isSkipped) next.add(line)
                else next.delete(line)
                setSkipped(next)
              }}
            />
          ))}
          <div className="list-foot">
            <span className="grow muted">
              {lines.length > SHOWN || report.counts.refused > lines.length
                ? t('imports.first_lines', { shown: Math.min(SHOWN, lines.length), count: report.counts.refused })
                : t('imports.or_leave_out')}
            </span>
            {open.length > 0 && (
              <Button disabled={check.isPending} onClick={() => checkWith([...skipped, ...open.map(([line]) => line)])}>
                {t('imports.leave_out_lines', { count: open.length })}
              </Button>
            )}
          </div>
        </Card>
      )}
      {file.left_out.length > 0 && (
        <p className="notice">
          <span className="grow">{t('imports.lines_left_out', { count: file.left_out.length })}</span>
          <Button disabled={check.isPending} onClick={() => check.mutate({ input: { left_out: [] }, etag })}>
            {t('imports.take_in')}
          </Button>
        </p>
      )}
      {lines.length === 0 && report.unmatched.length === 0 && (
        <p className="notice">
          <Chip tone="ok">{t('imports.all_good')}</Chip>
          <span className="grow">{t('imports.all_good_text')}</span>
        </p>
      )}
      <Warnings report={report} />
      <Examples report={report} />
      <section className="save-bar" aria-label={t('imports.next')}>
        {failed === null ? (
          <span className="grow figure strong">
            {t('imports.ready_of', { ready: count(ready), total: count(file.total) })}
          </span>
        ) : (
          <span className="grow wrong" role="alert">
            {failed instanceof ChangedError ? t('imports.changed') : problemText(failed)}
          </span>
        )}
        <ButtonLink to="/imports/$id" params={{ id: String(file.id) }} search={{ step: 'columns' }}>
          {t('common.back')}
        </ButtonLink>
        {report.counts.refused > 0 || isStale ? (
          <Button
            look="primary"
            disabled={check.isPending || !(isDecided || isStale)}
            onClick={() => checkWith(skipped)}
          >
            {t('imports.check_again')}
          </Button>
        ) : (
          <Button look="primary" disabled={run.isPending || file.total === 0} onClick={start}>
            {t('imports.start', { count: file.total })}
          </Button>
        )}
      </section>
    </>
  )
}

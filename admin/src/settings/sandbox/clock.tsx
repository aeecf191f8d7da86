import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/forms/fields.tsx'
import { Card, Chip } from '../../ui/page.tsx'
import { Problem, problemText } from '../../ui/problem.tsx'
import { count, longTime, shortTime } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { clockQuery, type TestClock, useMoveClock } from './queries.ts'

const SPANS = ['P1D', 'P1W', 'P1M', 'P1Y', 'day'] as const
type Span = (typeof SPANS)[number]

/** The clock of a sandbox, the way to move it forward, and what happened when it was moved last. */
export function ClockCard() {
  const read = useQuery(clockQuery)
  if (read.isError) return <Problem error={read.error} retry={() => void read.refetch()} />
  const clock = read.data
  return (
    <Card
      title={t('sandbox.clock')}
      aside={clock === undefined ? undefined : longTime(clock.now)}
      end={clock?.status === 'moving' && <Chip tone="wait">{t('sandbox.moving')}</Chip>}
    >
      <div className="card-body stack">
        <p className="muted">{t('sandbox.about')}</p>
        <Move isMoving={clock?.status !== 'running'} />
      </div>
      {clock?.last_move != null && <Happened move={clock.last_move} />}
    </Card>
  )
}

function Move({ isMoving }: { isMoving: boolean }) {
  const [span, setSpan] = useState<Span>('P1M')
  const [day, setDay] = useState('')
  const move = useMoveClock()
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        move.mutate(span === 'day' ? { at: `${day}T00:00:00` } : { advance: span })
      }}
    >
      <div className="pair">
        <SelectField
          label={t('sandbox.forward')}
          value={span}
          onValue={setSpan}
          options={SPANS.map((value) => ({ value, title: t(`sandbox.spans.${value}`) }))}
        />
        {span === 'day' && <TextField label={t('sandbox.day')} type="date" value={day} onValue={setDay} />}
      </div>
      {move.isError && (
        <p className="notice bad" role="alert">
          {problemText(move.error)}
        </p>
      )}
      <div className="actions">
        <Button type="submit" look="primary" disabled={isMoving || move.isPending || (span === 'day' && day === '')}>
          {t('sandbox.move')}
        </Button>
        {move.isPending && <span className="muted">{t('sandbox.takes')}</span>}
      </div>
    </form>
  )
}

type LastMove = NonNullable<TestClock['last_move']>

const SHOWN = 30

/** How often each thing happened, and the first of them in order. */
function Happened({ move: { from, to, stopped_because, counts, events } }: { move: LastMove }) {
  const kinds = Object.entries(counts).filter(([, often]) => often > 0) as [keyof LastMove['counts'], number][]
  return (
    <>
      <dl className="sums">
        <dt className="strong">{t('sandbox.moved')}</dt>
        <dd>{t('sandbox.from_to', { from: shortTime(from), to: shortTime(to) })}</dd>
        {kinds.map(([kind, often]) => (
          <Counted key={kind} title={t(`sandbox.happened.${kind}`)} often={often} />
        ))}
      </dl>
      {kinds.length === 0 && <p className="card-body muted">{t('sandbox.nothing')}</p>}
      {stopped_because !== null && <p className="card-body wrong">{stopped_because}</p>}
      {events.length > 0 && (
        <details className="card-body">
          <summary className="muted">{t('sandbox.in_order')}</summary>
          <ol className="timeline with-gap">
            {events.slice(0, SHOWN).map(({ kind, at, id }) => (
              <li key={`${kind} ${at} ${id}`}>
                <span className="grow">{t(`sandbox.happened.${kind}`)}</span>
                <time>{shortTime(at)}</time>
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  )
}

function Counted({ title, often }: { title: string; often: number }) {
  return (
    <>
      <dt className="muted">{title}</dt>
      <dd className="muted">{count(often)}</dd>
    </>
  )
}

import { LicetError } from '@licet/client'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { type Dispatch, type SetStateAction, useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { problemText } from '../../ui/problem.tsx'
import { toast } from '../../ui/toasts.tsx'
import { matching } from '../../with-etag.ts'
import { t } from '../../words/words.ts'
import { type FulfillmentInput, fulfillmentQuery, SHIPPED } from '../queries.ts'
import { LineRow } from './line-row.tsx'
import { type Line, orderIn, type Plan, planOf } from './lines.ts'

type PreviewProps = {
  lines: readonly Line[]
  setLines: Dispatch<SetStateAction<readonly Line[] | undefined>>
  back: () => void
}

/** Why a line could not be done: what is wrong with its number says more than that something is. */
function whyOf(error: unknown): string {
  const [first] = error instanceof LicetError ? Object.values(error.errors) : []
  return first?.[0] ?? problemText(error)
}

const isToDo = ({ kind }: Plan) => kind === 'ships' || kind === 'changes'

/** What each line will do. Lines with a mistake are mended here. */
export function Preview({ lines, setLines, back }: PreviewProps) {
  const client = useQueryClient()
  const [done, setDone] = useState<number>()
  const ids = [...new Set(lines.flatMap((line) => orderIn(line) ?? []))]
  const known = useQueries({ queries: ids.map(fulfillmentQuery) })
  const knownOf = (id: number) => known[ids.indexOf(id)]
  const plans = lines.map((line) => planOf(line, lines, knownOf))
  const count = plans.filter(isToDo).length
  const wrong = plans.filter(({ kind }) => kind === 'wrong').length
  const isWaiting = plans.some(({ kind }) => kind === 'waits')
  const set = (key: number, part: Partial<Line>) =>
    setLines((now) => now?.map((each) => (each.key === key ? { ...each, ...part } : each)))

  const run = async () => {
    let finished = 0
    for (const [place, line] of lines.entries()) {
      const [id, plan] = [orderIn(line), plans[place]]
      if (id === undefined || plan === undefined || !isToDo(plan)) continue
      setDone(finished)
      const [carrier, number] = [line.carrier.trim(), line.number.trim()]
      try {
        const change: FulfillmentInput = {
          tracking_number: number,
          ...(carrier === '' ? {} : { tracking_company: carrier }),
          ...(plan.kind === 'ships' ? { status: SHIPPED } : {}),
        }
        // The plan was made from this version; one that somebody else has changed since is not overwritten.
        await api.fulfillments.update(id, change, matching(knownOf(id)?.data?.etag))
        finished += 1
        set(line.key, { outcome: { isDone: true } })
      } catch (error) {
        set(line.key, { outcome: { isDone: false, why: whyOf(error) } })
      }
    }
    setDone(undefined)
    toast(t('fulfillments.file.finished', { count: finished }))
    for (const key of ['fulfillments', 'orders']) await client.invalidateQueries({ queryKey: [key] })
  }

  return (
    <>
      {wrong > 0 && (
        <p className="notice wait" role="status">
          {t('fulfillments.file.wrong', { count: wrong })}
        </p>
      )}
      <Card title={t('fulfillments.file.preview')}>
        <ol className="rows import-lines">
          {lines.map((line, place) => (
            <LineRow
              key={line.key}
              line={line}
              place={place + 1}
              plan={plans[place] ?? { kind: 'waits', text: '' }}
              // Who mends a line wants it to be tried again.
              set={({ outcome: _outcome, ...part }) =>
                setLines((now) =>
                  now?.map((each) => {
                    if (each.key !== line.key) return each
                    const { outcome: _before, ...rest } = each
                    return { ...rest, ...part }
                  }),
                )
              }
              remove={() => setLines((now) => now?.filter(({ key }) => key !== line.key))}
            />
          ))}
        </ol>
      </Card>
      <section className="save-bar" aria-label={t('fulfillments.import')}>
        <span className="grow muted">
          {done === undefined ? '' : t('bulk.progress', { done, total: done + count })}
        </span>
        <Button onClick={back}>{t('fulfillments.file.back')}</Button>
        <Button
          look="primary"
          icon="truck"
          disabled={count === 0 || isWaiting || done !== undefined}
          onClick={() => void run()}
        >
          {count === 0 ? t('fulfillments.file.nothing') : t('fulfillments.file.run', { count })}
        </Button>
      </section>
    </>
  )
}

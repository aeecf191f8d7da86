import { t } from '../../words/words.ts'
import { ListFoot } from './list.tsx'
import type { ListPage, Span } from './pages.ts'

type PageFootProps<Row> = { page: ListPage<Row> | undefined; said?: string; turnTo: (span: Span) => void }

/** The ways to the newer and the older entries of a list that is read by key, if there are any or there is something to say. */
export function PageFoot<Row extends { id: number }>({ page, said = '', turnTo }: PageFootProps<Row>) {
  const { rows = [], hasNewer = false, hasOlder = false } = page ?? {}
  if (said === '' && !hasNewer && !hasOlder) return null
  const [newest, oldest] = [rows[0], rows.at(-1)]
  return (
    <ListFoot
      said={said}
      newer={{
        title: t('list.newer'),
        // Without entries the way back is to the beginning.
        turn: hasNewer ? () => turnTo(newest === undefined ? {} : { after: newest.id }) : undefined,
      }}
      older={{
        title: t('list.older'),
        turn: hasOlder && oldest !== undefined ? () => turnTo({ before: oldest.id }) : undefined,
      }}
    />
  )
}

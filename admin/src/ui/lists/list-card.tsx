import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { count } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { Button } from '../button.tsx'
import type { IconName } from '../icons.tsx'
import { Card } from '../page.tsx'
import { Problem } from '../problem.tsx'
import { type Column, Empty, ListFoot, SearchField, Table } from './list.tsx'
import { PageFoot } from './page-foot.tsx'
import type { ListPage, Span } from './pages.ts'
import type { ListSearch } from './views.ts'

const ICONS = {
  orders: 'orders',
  products: 'products',
  customers: 'customers',
  subscriptions: 'member',
  'audience.newsletter': 'mail',
  'audience.members': 'customers',
  'audience.subscribers': 'customers',
} as const satisfies Record<string, IconName>

type ListCardProps<Row> = {
  /** What the list is of: where its words are, and its drawing. */
  of: keyof typeof ICONS
  search: ListSearch<string>
  page: UseQueryResult<ListPage<Row>>
  /** How many there are in all, if that is known. */
  total: number | undefined
  columns: readonly Column<Row>[]
  find: (words: string) => void
  /** Beside the search. */
  beside?: ReactNode
  /** Do filters beside the search leave something out? */
  isFiltered?: boolean
  /** What to do where there is nothing yet. */
  begin?: ReactNode
  /** The ways to the pages before and after, where the list is not in the order of its ids. */
  pages?: { previous: (() => void) | undefined; next: (() => void) | undefined }
  turnTo: (span: Span) => void
  showAll: () => void
}

/** A list with its search, its table, and the ways to its other pages. */
export function ListCard<Row extends { id: number }>(props: ListCardProps<Row>) {
  const { of, search, page, total, columns, find, beside, isFiltered = false, begin, pages, turnTo, showAll } = props
  const { data, isError, error, refetch } = page
  const { view, q = '' } = search
  const isNarrowed = q !== '' || view !== undefined || isFiltered
  const said =
    total === undefined
      ? ''
      : t(`${of}.in_all`, { shown: count(data?.rows.length ?? 0), total: count(total), count: total })
  return (
    <Card label={t(`${of}.list`)}>
      <SearchField label={t(`${of}.search`)} words={q} onWords={find} beside={beside} />
      {isError ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : (
        <Table
          label={t(`${of}.list`)}
          columns={columns}
          rows={data?.rows}
          keyOf={({ id }) => id}
          empty={
            <Empty icon={ICONS[of]} text={isNarrowed ? t(`${of}.none_found`) : t(`${of}.none`)}>
              {isNarrowed ? <Button onClick={showAll}>{t(`${of}.show_all`)}</Button> : begin}
            </Empty>
          }
        />
      )}
      {pages === undefined ? (
        <PageFoot page={data} said={said} turnTo={turnTo} />
      ) : (
        <ListFoot
          said={said}
          newer={{ title: t('list.previous'), turn: pages.previous }}
          older={{ title: t('list.next'), turn: pages.next }}
        />
      )}
    </Card>
  )
}

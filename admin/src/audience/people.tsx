import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { useMay } from '../session/session.ts'
import { Button, ButtonLink, DownloadLink } from '../ui/button.tsx'
import type { Column } from '../ui/lists/list.tsx'
import { ListCard } from '../ui/lists/list-card.tsx'
import { withFilter, withSpan, withWords } from '../ui/lists/views.ts'
import { t } from '../words/words.ts'
import { AudienceFilterMenu } from './filters.tsx'
import { PeoplePage } from './parts.tsx'
import type { People as PeopleOf } from './queries.ts'
import type { AudienceSearch, Part } from './search.ts'

type PeopleProps<Row extends { id: number }> = {
  part: Part
  people: PeopleOf<Row>
  columns: readonly Column<Row>[]
  search: AudienceSearch
  /** Goes to the same list with another address. It stays the same function. */
  go: (change: (now: AudienceSearch) => AudienceSearch) => void
  /** The dialog in which one is added. */
  add: (close: () => void) => ReactNode
}

const KINDS = { newsletter: 'news_recipients', members: 'group_members', subscribers: 'subscribers' } as const

/** One of the lists around a shop: who gets the newsletter, who belongs to a group, who has subscribed. */
export function People<Row extends { id: number }>({ part, people, columns, search, go, add }: PeopleProps<Row>) {
  const page = useQuery(people.listQuery(search))
  const total = useQuery(people.countQuery(search)).data
  const mayUnlock = useMay('unlock')
  const mayAdd = part === 'newsletter' || mayUnlock
  const mayImport = useMay('request_products') && mayAdd
  const [isNew, setNew] = useState(false)
  const find = useCallback((words: string) => go((now) => withWords(now, words)), [go])
  const importLink = mayImport && (
    <ButtonLink to="/imports" search={{ kind: KINDS[part] }}>
      {t('imports.title')}
    </ButtonLink>
  )
  return (
    <PeoplePage
      part={part}
      about={t(`audience.${part}.about`)}
      actions={
        <>
          <DownloadLink href={people.csvAddress(search)}>{t('list.csv')}</DownloadLink>
          {importLink}
          {mayAdd && (
            <Button look="primary" icon="plus" onClick={() => setNew(true)}>
              {t(`audience.${part}.new`)}
            </Button>
          )}
        </>
      }
    >
      <ListCard
        of={`audience.${part}`}
        search={search}
        page={page}
        total={total}
        columns={columns}
        find={find}
        beside={
          <AudienceFilterMenu part={part} search={search} change={(filters) => go((now) => withFilter(now, filters))} />
        }
        isFiltered={[search.state, search.shop, search.group, search.from, search.to].some(
          (filter) => filter !== undefined,
        )}
        begin={importLink}
        turnTo={(span) => go((now) => withSpan(now, span))}
        showAll={() => go(() => ({}))}
      />
      {isNew && add(() => setNew(false))}
    </PeoplePage>
  )
}

import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { hasWords } from '../finder/entries.ts'
import { type License, licensesQuery } from '../products/queries.ts'
import { useMay } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { type Column, Empty, SearchField, Table } from '../ui/lists/list.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { t } from '../words/words.ts'
import { NewGroup } from './new.tsx'
import { MembershipsPage } from './parts.tsx'
import { type Group, groupsQuery } from './queries.ts'
import { licenseOf, stateOf } from './words.ts'

const route = getRouteApi('/memberships')

/** The groups whose members use content without buying it. */
export function Groups() {
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const groups = useQuery(groupsQuery)
  const licenses = useQuery(licensesQuery).data
  const mayChange = useMay('unlock')
  const [isNew, setNew] = useState(false)
  const find = useCallback((words: string) => void navigate({ search: words === '' ? {} : { q: words } }), [navigate])
  const shown = groups.data?.filter(({ id, title }) => hasWords(`${id} ${title}`, q))
  const add = mayChange && (
    <Button look="primary" icon="plus" onClick={() => setNew(true)}>
      {t('groups.new')}
    </Button>
  )
  return (
    <MembershipsPage part="groups" about={t('groups.about')} actions={add}>
      {groups.isError ? (
        <Problem error={groups.error} retry={() => void groups.refetch()} />
      ) : (
        <Card label={t('groups.list')}>
          <SearchField label={t('groups.search')} words={q} onWords={find} />
          <Table
            label={t('groups.list')}
            columns={columnsWith(licenses)}
            rows={shown}
            keyOf={({ id }) => id}
            empty={
              <Empty icon="member" text={t(q === '' ? 'groups.none' : 'groups.none_found')}>
                {q !== '' && <Button onClick={() => find('')}>{t('groups.show_all')}</Button>}
              </Empty>
            }
          />
        </Card>
      )}
      {isNew && <NewGroup close={() => setNew(false)} />}
    </MembershipsPage>
  )
}

function columnsWith(licenses: readonly License[] | undefined): Column<Group>[] {
  return [
    {
      title: t('groups.columns.title'),
      place: 'first',
      cell: ({ id, title }) => (
        <>
          <Link className="strong" to="/memberships/$id" params={{ id }}>
            {title}
          </Link>{' '}
          <code className="muted small">{id}</code>
        </>
      ),
    },
    { title: t('groups.columns.kind'), place: 'second', cell: ({ kind }) => t(`groups.kinds.${kind}`) },
    {
      title: t('groups.columns.license'),
      cell: (group) => <span className="muted">{licenseOf(group, licenses)}</span>,
    },
    {
      title: t('groups.columns.members'),
      place: 'second-end',
      isNumber: true,
      cell: ({ members }) => t('groups.people', { count: members }),
    },
    {
      title: t('groups.columns.state'),
      place: 'first-end',
      width: 'narrow',
      cell: (group) => {
        const { tone, text } = stateOf(group)
        return <Chip tone={tone}>{text}</Chip>
      },
    },
  ]
}

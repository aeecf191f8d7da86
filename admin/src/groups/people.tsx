import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { NewPerson } from '../audience/new-person.tsx'
import { endIn, startIn } from '../audience/period.tsx'
import { members, subscribers } from '../audience/queries.ts'
import type { State } from '../audience/search.ts'
import { stateOf, untilText } from '../audience/words.ts'
import { useMay } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { count } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Group } from './queries.ts'

const SHOWN = 5

/** The newest of those who are in a group, and the way to all of them. */
export function GroupMembers({ group }: { group: Group }) {
  return group.kind === 'subscription' ? <Subscribers group={group.id} /> : <Members group={group.id} />
}

function Subscribers({ group }: { group: string }) {
  const create = subscribers.useCreate()
  const page = useQuery(subscribers.listQuery({ group }))
  return (
    <People
      part="subscribers"
      group={group}
      page={page}
      total={useQuery(subscribers.countQuery({ group })).data}
      rows={page.data?.rows.map(({ ends_at, ...row }) => ({ ...row, until: ends_at }))}
      add={(close) => (
        <NewPerson
          part="subscribers"
          group={group}
          create={create}
          inputOf={(who, period) => ({ ...who, group_id: period.group, ends_at: endIn(period) })}
          close={close}
        />
      )}
    />
  )
}

function Members({ group }: { group: string }) {
  const create = members.useCreate()
  const page = useQuery(members.listQuery({ group }))
  return (
    <People
      part="members"
      group={group}
      page={page}
      total={useQuery(members.countQuery({ group })).data}
      rows={page.data?.rows.map(({ end_at, ...row }) => ({ ...row, until: end_at }))}
      add={(close) => (
        <NewPerson
          part="members"
          group={group}
          create={create}
          inputOf={(who, period) => ({
            ...who,
            group_id: period.group,
            start_at: startIn(period),
            end_at: endIn(period),
          })}
          close={close}
        />
      )}
    />
  )
}

type Person = { id: number; email: string; state: State; until: string | null }

type PeopleProps = {
  part: 'members' | 'subscribers'
  group: string
  page: Pick<UseQueryResult, 'isError' | 'error' | 'refetch'>
  total: number | undefined
  rows: readonly Person[] | undefined
  /** The dialog in which somebody is added. */
  add: (close: () => void) => ReactNode
}

function People({ part, group, page, total, rows, add }: PeopleProps) {
  const mayAdd = useMay('unlock')
  const [isNew, setNew] = useState(false)
  return (
    <Card
      title={t(`audience.parts.${part}`)}
      aside={total === undefined ? undefined : count(total)}
      end={mayAdd && <Button onClick={() => setNew(true)}>{t(`audience.${part}.new`)}</Button>}
    >
      {page.isError ? (
        <Problem error={page.error} retry={() => void page.refetch()} />
      ) : rows === undefined ? (
        <WaitingRows count={2} />
      ) : rows.length === 0 ? (
        <p className="card-body muted">{t(`groups.nobody.${part}`)}</p>
      ) : (
        <ul className="rows">
          {rows.slice(0, SHOWN).map((person) => (
            <PersonRow key={person.id} part={part} person={person} />
          ))}
          {rows.length > SHOWN && (
            <li>
              <Link to={`/customers/${part}`} search={{ group }}>
                {t(`audience.${part}.show_all`)}
              </Link>
            </li>
          )}
        </ul>
      )}
      {isNew && add(() => setNew(false))}
    </Card>
  )
}

function PersonRow({ part, person: { id, email, state, until } }: { part: PeopleProps['part']; person: Person }) {
  const { tone, text } = stateOf(state)
  return (
    <li>
      <Link className="strong grow cut" to={`/customers/${part}/$id`} params={{ id: String(id) }}>
        {email}
      </Link>
      <span className="muted small">{until === null ? '' : t('groups.until', { day: untilText(until) })}</span>
      <Chip tone={tone}>{text}</Chip>
    </li>
  )
}

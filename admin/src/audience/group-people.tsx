import type { UseMutationResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Column } from '../ui/lists/list.tsx'
import { Chip } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import { CustomerLink } from './customer-link.tsx'
import { NewPerson, type NewPersonProps } from './new-person.tsx'
import { People } from './people.tsx'
import type { Member, People as PeopleOf, Subscriber } from './queries.ts'
import type { AudienceSearch } from './search.ts'
import { stateOf } from './words.ts'

type GroupPeopleProps<Row extends { id: number }, Input> = Pick<NewPersonProps<Input>, 'part' | 'inputOf'> & {
  people: PeopleOf<Row> & { useCreate: () => UseMutationResult<{ email: string }, Error, Input> }
  search: AudienceSearch
  navigate: (to: { search: (now: AudienceSearch) => AudienceSearch }) => Promise<void>
  /** From when and until when somebody is in the group. */
  dates: readonly Column<Row>[]
}

/** Who is in a group. The lists differ in the dates that they have. */
export function GroupPeople<Row extends Member | Subscriber, Input>(props: GroupPeopleProps<Row, Input>) {
  const { part, people, search, navigate, dates, inputOf } = props
  const go = useCallback(
    (change: (now: AudienceSearch) => AudienceSearch) => void navigate({ search: change }),
    [navigate],
  )
  return (
    <People
      part={part}
      people={people}
      columns={columns(part, dates)}
      search={search}
      go={go}
      add={(close) => <New part={part} people={people} inputOf={inputOf} close={close} />}
    />
  )
}

type NewProps<Row extends { id: number }, Input> = Pick<GroupPeopleProps<Row, Input>, 'part' | 'people' | 'inputOf'> & {
  close: () => void
}

function New<Row extends { id: number }, Input>({ part, people, inputOf, close }: NewProps<Row, Input>) {
  return <NewPerson part={part} create={people.useCreate()} inputOf={inputOf} close={close} />
}

function columns<Row extends Member | Subscriber>(
  part: 'members' | 'subscribers',
  dates: readonly Column<Row>[],
): Column<Row>[] {
  return [
    {
      title: t('audience.columns.email'),
      place: 'first',
      cell: ({ id, email }) => (
        <Link className="strong" to={`/customers/${part}/$id`} params={{ id: String(id) }}>
          {email}
        </Link>
      ),
    },
    { title: t('audience.columns.customer'), place: 'second-end', cell: (person) => <CustomerLink of={person} /> },
    { title: t('audience.columns.group'), place: 'second', cell: ({ group_id }) => group_id },
    ...dates,
    {
      title: t('audience.columns.state'),
      place: 'first-end',
      width: 'narrow',
      cell: ({ state }) => {
        const { tone, text } = stateOf(state)
        return <Chip tone={tone}>{text}</Chip>
      },
    },
  ]
}

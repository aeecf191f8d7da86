import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Column } from '../ui/lists/list.tsx'
import { Chip } from '../ui/page.tsx'
import { shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { CustomerLink } from './customer-link.tsx'
import { NewPerson } from './new-person.tsx'
import { People } from './people.tsx'
import { endIn, startIn } from './period.tsx'
import { type Member, members } from './queries.ts'
import type { AudienceSearch } from './search.ts'
import { stateOf, untilText } from './words.ts'

const route = getRouteApi('/customers/members')

/** Who belongs to an access group or a sharing group, and until when. */
export function Members() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const go = useCallback(
    (change: (now: AudienceSearch) => AudienceSearch) => void navigate({ search: change }),
    [navigate],
  )
  return (
    <People
      part="members"
      people={members}
      columns={columns()}
      search={search}
      go={go}
      add={(close) => <NewMember close={close} />}
    />
  )
}

function NewMember({ close }: { close: () => void }) {
  return (
    <NewPerson
      part="members"
      create={members.useCreate()}
      inputOf={(who, period) => ({ ...who, group_id: period.group, start_at: startIn(period), end_at: endIn(period) })}
      close={close}
    />
  )
}

function columns(): Column<Member>[] {
  return [
    {
      title: t('audience.columns.email'),
      place: 'first',
      cell: ({ id, email }) => (
        <Link className="strong" to="/customers/members/$id" params={{ id: String(id) }}>
          {email}
        </Link>
      ),
    },
    { title: t('audience.columns.customer'), place: 'second-end', cell: (person) => <CustomerLink of={person} /> },
    { title: t('audience.columns.group'), place: 'second', cell: ({ group_id }) => group_id },
    {
      title: t('audience.columns.from'),
      cell: ({ start_at }) => <span className="muted">{start_at === null ? '' : shortTime(start_at)}</span>,
    },
    { title: t('audience.columns.until'), cell: ({ end_at }) => <span className="muted">{untilText(end_at)}</span> },
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

import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Column } from '../ui/lists/list.tsx'
import { Chip } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import { CustomerLink } from './customer-link.tsx'
import { NewPerson } from './new-person.tsx'
import { People } from './people.tsx'
import { endIn } from './period.tsx'
import { type Subscriber, subscribers } from './queries.ts'
import type { AudienceSearch } from './search.ts'
import { stateOf, untilText } from './words.ts'

const route = getRouteApi('/customers/subscribers')

/** Who has subscribed to a group, and until when. */
export function Subscribers() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const go = useCallback(
    (change: (now: AudienceSearch) => AudienceSearch) => void navigate({ search: change }),
    [navigate],
  )
  return (
    <People
      part="subscribers"
      people={subscribers}
      columns={columns()}
      search={search}
      go={go}
      add={(close) => <NewSubscriber close={close} />}
    />
  )
}

function NewSubscriber({ close }: { close: () => void }) {
  return (
    <NewPerson
      part="subscribers"
      create={subscribers.useCreate()}
      inputOf={(who, period) => ({ ...who, group_id: period.group, ends_at: endIn(period) })}
      close={close}
    />
  )
}

function columns(): Column<Subscriber>[] {
  return [
    {
      title: t('audience.columns.email'),
      place: 'first',
      cell: ({ id, email }) => (
        <Link className="strong" to="/customers/subscribers/$id" params={{ id: String(id) }}>
          {email}
        </Link>
      ),
    },
    { title: t('audience.columns.customer'), place: 'second-end', cell: (person) => <CustomerLink of={person} /> },
    { title: t('audience.columns.group'), place: 'second', cell: ({ group_id }) => group_id },
    { title: t('audience.columns.until'), cell: ({ ends_at }) => <span className="muted">{untilText(ends_at)}</span> },
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

import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { shopsQuery } from '../shop/queries.ts'
import type { Column } from '../ui/lists/list.tsx'
import { Chip } from '../ui/page.tsx'
import { languageName, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { CustomerLink } from './customer-link.tsx'
import { NewRecipient } from './new-recipient.tsx'
import { People } from './people.tsx'
import { type Recipient, recipients } from './queries.ts'
import type { AudienceSearch } from './search.ts'
import { stateOf } from './words.ts'

const route = getRouteApi('/customers/newsletter')

/** Who gets the newsletter of a shop, and has agreed to it. */
export function Newsletter() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const shops = useQuery(shopsQuery).data ?? []
  const go = useCallback(
    (change: (now: AudienceSearch) => AudienceSearch) => void navigate({ search: change }),
    [navigate],
  )
  const names = new Map(shops.map(({ id, name }) => [id, name]))
  return (
    <People
      part="newsletter"
      people={recipients}
      columns={columnsWith(names)}
      search={search}
      go={go}
      add={(close) => <NewRecipient close={close} />}
    />
  )
}

function columnsWith(shops: ReadonlyMap<number, string>): Column<Recipient>[] {
  const shop: Column<Recipient> = {
    title: t('audience.columns.shop'),
    cell: ({ theme_setting_id }) => <span className="muted">{shops.get(theme_setting_id) ?? ''}</span>,
  }
  return [
    {
      title: t('audience.columns.email'),
      place: 'first',
      cell: ({ id, email }) => (
        <Link className="strong" to="/customers/newsletter/$id" params={{ id: String(id) }}>
          {email}
        </Link>
      ),
    },
    { title: t('audience.columns.customer'), place: 'second-end', cell: (person) => <CustomerLink of={person} /> },
    ...(shops.size > 1 ? [shop] : []),
    {
      title: t('audience.columns.language'),
      cell: ({ language }) => <span className="muted">{languageName(language)}</span>,
    },
    {
      title: t('audience.columns.agreed'),
      place: 'second',
      cell: ({ confirmed_at, consent_source }) => (
        <span className="muted">
          {confirmed_at === null
            ? t('audience.newsletter.not_yet')
            : consent_source === null
              ? shortTime(confirmed_at)
              : `${shortTime(confirmed_at)} · ${consent_source}`}
        </span>
      ),
    },
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

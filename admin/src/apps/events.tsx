import './apps.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { SelectField } from '../ui/forms/fields.tsx'
import { type Column, Empty, Table } from '../ui/lists/list.tsx'
import { PageFoot } from '../ui/lists/page-foot.tsx'
import { Card } from '../ui/page.tsx'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { AppsPage } from './parts.tsx'
import { type Event, eventsQuery } from './queries.ts'
import { TOPICS } from './topics.gen.ts'
import { topicText } from './words.ts'

const route = getRouteApi('/apps/events')

/** What has happened, whether or not a webhook is told of it. */
export function Events() {
  const { topic, ...span } = route.useSearch()
  const navigate = route.useNavigate()
  const page = useQuery(eventsQuery(topic, span))
  const filter = topic === undefined ? {} : { topic }
  const rows = page.data?.rows
  return (
    <AppsPage part="events" about={t('events.about')} failed={page.isError ? page : undefined}>
      <Card label={t('apps.parts.events')}>
        <search className="card-body">
          <SelectField
            label={t('events.which')}
            value={topic ?? ''}
            onValue={(chosen) => void navigate({ search: chosen === '' ? {} : { topic: chosen } })}
            options={[
              { value: '', title: t('events.all') },
              ...TOPICS.map((value) => ({ value: value as string, title: topicText(value) })),
            ]}
          />
        </search>
        <Table
          label={t('apps.parts.events')}
          columns={columns()}
          rows={rows}
          keyOf={({ id }) => id}
          empty={<Empty icon="webhook" text={t('events.none')} />}
        />
        <PageFoot page={page.data} turnTo={(span) => void navigate({ search: { ...filter, ...span } })} />
      </Card>
    </AppsPage>
  )
}

function columns(): Column<Event>[] {
  return [
    { title: t('events.what'), place: 'first', cell: ({ topic }) => <code>{topic}</code> },
    {
      title: t('events.of'),
      place: 'second',
      cell: ({ data }) => <span className="muted">{[data.type, data.id].filter(Boolean).join(' ')}</span>,
    },
    {
      title: t('events.when'),
      place: 'first-end',
      width: 'narrow',
      cell: ({ created_at }) => <time className="muted figure">{dayAndTime(created_at)}</time>,
    },
  ]
}

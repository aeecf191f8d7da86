import './apps.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { SelectField } from '../ui/forms/fields.tsx'
import { type Column, Empty, Table } from '../ui/lists/list.tsx'
import { PageFoot } from '../ui/lists/page-foot.tsx'
import { Card } from '../ui/page.tsx'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { AppsPage } from './parts.tsx'
import { type Event, eventsQuery } from './queries.ts'
import { TOPICS } from './topics.gen.ts'
import { thingText, topicText, topicWords } from './words.ts'

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

/** The screens of what events are about. */
const SCREENS = [
  { type: 'app', to: '/apps/$id' },
  { type: 'groupmember', to: '/customers/members/$id' },
  { type: 'newsrecipient', to: '/customers/newsletter/$id' },
  { type: 'order', to: '/orders/$id' },
  { type: 'product', to: '/products/$id' },
  { type: 'subscriber', to: '/customers/subscribers/$id' },
] as const

/** What an event is about, with the way there as long as it is there. */
function Thing({ event: { topic, data } }: { event: Event }) {
  const screen = SCREENS.find(({ type }) => type === data.type)
  const text = thingText(data)
  if (data.type === 'customer' && data.token !== undefined)
    return (
      <Link to="/customers/$token" params={{ token: data.token }}>
        {text}
      </Link>
    )
  if (screen === undefined || data.id === undefined || topic === 'product/delete' || topic === 'app/uninstalled')
    return <span className="muted">{text}</span>
  return (
    <Link to={screen.to} params={{ id: data.id }}>
      {text}
    </Link>
  )
}

function columns(): Column<Event>[] {
  return [
    {
      title: t('events.what'),
      place: 'first',
      cell: ({ topic }) => <span className="strong">{topicWords(topic)}</span>,
    },
    { title: t('events.of'), place: 'second', cell: (event) => <Thing event={event} /> },
    { title: t('events.name'), cell: ({ topic }) => <code className="muted">{topic}</code> },
    {
      title: t('events.when'),
      place: 'first-end',
      width: 'narrow',
      cell: ({ created_at }) => <time className="muted figure">{dayAndTime(created_at)}</time>,
    },
  ]
}

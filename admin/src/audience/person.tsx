import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import { useMay } from '../session/session.ts'
import { type Change, SaveBar, useEditing } from '../ui/forms/editing.tsx'
import { daysInWords } from '../ui/lists/filters.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Chip, Page } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { CustomerLink } from './customer-link.tsx'
import { type Period, PeriodFields } from './period.tsx'
import { Remove, Stop } from './stop.tsx'
import { stateOf } from './words.ts'

type InGroup = {
  id: number
  email: string
  customer_token: string | null
  group_id: string
  state: 'not_started' | 'active' | 'ended'
  created_at: string
}

type PersonPageProps<Person extends InGroup, Changes extends object> = {
  part: 'members' | 'subscribers'
  read: UseQueryResult<{ person: Person; etag: string }>
  save: UseMutationResult<unknown, Error, Change<Changes>>
  remove: UseMutationResult<unknown, Error, void>
  periodOf: (person: Person) => Period
  /** What differs, as the API takes it. */
  changesIn: (before: Period, after: Period) => Changes
  /** What ends it now. */
  stopped: (person: Person) => Changes
}

const LISTS = { members: '/customers/members', subscribers: '/customers/subscribers' } as const

/** Somebody in a group: which one, and until when. */
export function PersonPage<Person extends InGroup, Changes extends object>(props: PersonPageProps<Person, Changes>) {
  const { part, read, save, remove, periodOf, stopped } = props
  const trail = { to: LISTS[part], title: t(`audience.parts.${part}`) }
  const mayChange = useMay('unlock')
  if (read.data === undefined)
    return (
      <Page title={t(`audience.parts.${part}`)} trail={trail}>
        {read.isError ? <Problem error={read.error} retry={() => void read.refetch()} /> : <WaitingRows count={3} />}
      </Page>
    )
  const { person } = read.data
  const { tone, text } = stateOf(person.state)
  return (
    <Page
      title={person.email}
      trail={trail}
      chips={<Chip tone={tone}>{text}</Chip>}
      actions={
        mayChange && (
          <>
            {person.state !== 'ended' && (
              <Stop part={part} email={person.email} save={save} changes={() => stopped(person)} />
            )}
            <Remove part={part} email={person.email} remove={remove} />
          </>
        )
      }
    >
      <div className="columns">
        {mayChange && <Editor key={person.id} {...props} current={read.data} />}
        <Facts person={person} period={periodOf(person)} />
      </div>
    </Page>
  )
}

function Facts({ person, period: { starts, ends } }: { person: InGroup; period: Period }) {
  return (
    <Card title={t('audience.facts')}>
      <dl className="facts">
        <div>
          <dt>{t('audience.columns.customer')}</dt>
          <dd>
            <CustomerLink of={person} />
          </dd>
        </div>
        <div>
          <dt>{t('audience.columns.group')}</dt>
          <dd>{person.group_id}</dd>
        </div>
        <div>
          <dt>{t('audience.columns.valid')}</dt>
          <dd>{daysInWords(starts || undefined, ends || undefined) || t('audience.no_end')}</dd>
        </div>
        <div>
          <dt>{t('audience.columns.since')}</dt>
          <dd>{dayAndTime(person.created_at)}</dd>
        </div>
      </dl>
    </Card>
  )
}

type EditorProps<Person extends InGroup, Changes extends object> = PersonPageProps<Person, Changes> & {
  current: { person: Person; etag: string }
}

function Editor<Person extends InGroup, Changes extends object>(props: EditorProps<Person, Changes>) {
  const { part, current, save, periodOf, changesIn } = props
  const { draft, set, errorAt, submit, bar } = useEditing({
    read: current,
    draftOf: ({ person }) => periodOf(person),
    changesIn,
    save,
    saidOf: () => t('audience.saved', { email: current.person.email }),
  })
  return (
    <form className="stack" onSubmit={submit}>
      <Card title={t('audience.group_and_days')}>
        <div className="card-body stack">
          <PeriodFields part={part} period={draft} set={set} errorAt={errorAt} />
        </div>
      </Card>
      <SaveBar {...bar} />
    </form>
  )
}

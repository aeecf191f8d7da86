import './settings.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Button, DownloadLink } from '../ui/button.tsx'
import { SelectField, TextField } from '../ui/forms/fields.tsx'
import { type Column, Empty, Table } from '../ui/lists/list.tsx'
import { PageFoot } from '../ui/lists/page-foot.tsx'
import { Card } from '../ui/page.tsx'
import { dayAndTime } from '../words/format.ts'
import { actionWordsQuery } from '../words/lazy.ts'
import { t } from '../words/words.ts'
import { ACTIONS } from './actions.gen.ts'
import { type AuditEntry, activityCsv, activityQuery, peopleQuery } from './activity-queries.ts'
import { SettingsPage } from './parts.tsx'
import type { ActivitySearch } from './search.ts'

const route = getRouteApi('/settings/activity')

/** They may be signs of an attack. */
const REFUSED: ReadonlySet<string> = new Set(['sign-in refused', 'token exchange refused', 'app denied'])
/** Where the operator's own commands come from. */
const COMMAND_LINE = 'command line'

/** The audit log: who did what, and from where. */
export function Activity() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const page = useQuery(activityQuery(search))
  const actions = useQuery(actionWordsQuery)
  const filter = (part: Partial<Record<'action' | 'user' | 'from' | 'until', string>>) => {
    const { before: _before, after: _after, ...filters } = search
    // What is emptied leaves the address.
    void navigate({ search: { ...filters, ...part } as ActivitySearch })
  }
  const { data } = page
  const { before: _before, after: _after, ...filters } = search
  return (
    <SettingsPage
      part="activity"
      about={t('settings.activity.about')}
      actions={<DownloadLink href={activityCsv(search)}>{t('list.csv')}</DownloadLink>}
      failed={[page, actions].find(({ isError }) => isError)}
    >
      <Card label={t('settings.activity.list')}>
        <Filters search={search} filter={filter} />
        <Table
          label={t('settings.activity.list')}
          columns={columns(actions.data ?? String)}
          rows={actions.data === undefined ? undefined : data?.rows}
          keyOf={({ id }) => id}
          empty={
            <Empty icon="search" text={t('settings.activity.none')}>
              <Button onClick={() => void navigate({ search: {} })}>{t('settings.activity.show_all')}</Button>
            </Empty>
          }
        />
        <PageFoot page={data} turnTo={(span) => void navigate({ search: { ...filters, ...span } })} />
      </Card>
    </SettingsPage>
  )
}

type FiltersProps = {
  search: ActivitySearch
  filter: (part: Partial<Record<'action' | 'user' | 'from' | 'until', string>>) => void
}

function Filters({ search, filter }: FiltersProps) {
  const actions = useQuery(actionWordsQuery).data
  const people = useQuery(peopleQuery).data ?? []
  const choices = ACTIONS.map((action) => ({ value: action, title: actions?.(action) ?? action }))
  choices.sort((one, other) => one.title.localeCompare(other.title))
  return (
    <search className="activity-filters">
      <SelectField
        label={t('settings.activity.action')}
        value={search.action ?? ''}
        onValue={(action) => filter({ action })}
        options={[{ value: '', title: t('settings.activity.all') }, ...choices]}
      />
      <SelectField
        label={t('settings.activity.who')}
        value={String(search.user ?? '')}
        onValue={(user) => filter({ user })}
        options={[
          { value: '', title: t('settings.activity.anybody') },
          ...people.map(({ id, email }) => ({ value: String(id), title: email })),
        ]}
      />
      {(['from', 'until'] as const).map((side) => (
        <TextField
          key={side}
          type="date"
          label={t(`settings.activity.${side}`)}
          value={search[side] ?? ''}
          onValue={(day) => filter({ [side]: day })}
        />
      ))}
    </search>
  )
}

function whoOf({ user_email, address }: AuditEntry): string {
  if (user_email !== null) return user_email
  return t(address === COMMAND_LINE ? 'settings.activity.command_line' : 'settings.activity.nobody')
}

function aboutOf({ subject, user_email }: AuditEntry): string {
  if (subject === 'wrong second factor') return t('settings.activity.wrong_code')
  return subject === user_email ? '' : subject
}

function columns(wordsFor: (action: string) => string): Column<AuditEntry>[] {
  return [
    {
      title: t('settings.activity.action'),
      place: 'first',
      cell: (entry) => (
        <>
          <span className={REFUSED.has(entry.action) ? 'strong wrong' : 'strong'}>{wordsFor(entry.action)}</span>{' '}
          <bdi>{aboutOf(entry)}</bdi>
        </>
      ),
    },
    {
      title: t('settings.activity.who'),
      place: 'second',
      cell: (entry) => (
        <span className="muted">
          {whoOf(entry)}
          {entry.address === COMMAND_LINE ? '' : `, ${entry.address}`}
        </span>
      ),
    },
    {
      title: t('settings.activity.when'),
      place: 'first-end',
      width: 'narrow',
      cell: ({ created_at }) => <time className="muted">{dayAndTime(created_at)}</time>,
    },
  ]
}

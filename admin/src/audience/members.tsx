import { getRouteApi } from '@tanstack/react-router'
import { shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { GroupPeople } from './group-people.tsx'
import { endIn, startIn } from './period.tsx'
import { members } from './queries.ts'
import { untilText } from './words.ts'

const route = getRouteApi('/customers/members')

/** Who belongs to an access group or a sharing group, and until when. */
export function Members() {
  return (
    <GroupPeople
      part="members"
      people={members}
      search={route.useSearch()}
      navigate={route.useNavigate()}
      dates={[
        {
          title: t('audience.columns.from'),
          cell: ({ start_at }) => <span className="muted">{start_at === null ? '' : shortTime(start_at)}</span>,
        },
        {
          title: t('audience.columns.until'),
          cell: ({ end_at }) => <span className="muted">{untilText(end_at)}</span>,
        },
      ]}
      inputOf={(who, period) => ({ ...who, group_id: period.group, start_at: startIn(period), end_at: endIn(period) })}
    />
  )
}

import { getRouteApi } from '@tanstack/react-router'
import { t } from '../words/words.ts'
import { GroupPeople } from './group-people.tsx'
import { endIn } from './period.tsx'
import { subscribers } from './queries.ts'
import { untilText } from './words.ts'

const route = getRouteApi('/customers/subscribers')

/** Who has subscribed to a group, and until when. */
export function Subscribers() {
  return (
    <GroupPeople
      part="subscribers"
      people={subscribers}
      search={route.useSearch()}
      navigate={route.useNavigate()}
      dates={[
        {
          title: t('audience.columns.until'),
          cell: ({ ends_at }) => <span className="muted">{untilText(ends_at)}</span>,
        },
      ]}
      inputOf={(who, period) => ({ ...who, group_id: period.group, ends_at: endIn(period) })}
    />
  )
}

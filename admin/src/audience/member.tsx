import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { endIn, periodOf, startIn } from './period.tsx'
import { PersonPage } from './person.tsx'
import { type MemberChange, members } from './queries.ts'

const route = getRouteApi('/customers/members/$id')

/** A member of a group. */
export function MemberDetail() {
  const id = Number(route.useParams().id)
  return (
    <PersonPage
      part="members"
      read={useQuery(members.oneQuery(id))}
      save={members.useSave(id)}
      remove={members.useDelete(id)}
      periodOf={({ group_id, start_at, end_at }) => periodOf(group_id, start_at, end_at)}
      changesIn={(before, after): MemberChange => ({
        ...(before.group === after.group ? {} : { group_id: after.group }),
        ...(before.starts === after.starts ? {} : { start_at: startIn(after) }),
        ...(before.ends === after.ends ? {} : { end_at: endIn(after) }),
      })}
      stopped={({ state }) => ({
        end_at: new Date().toISOString().slice(0, 19),
        // The service wants an end after the beginning, also of what has not begun yet.
        ...(state === 'not_started' ? { start_at: null } : {}),
      })}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { endIn, periodOf } from './period.tsx'
import { PersonPage } from './person.tsx'
import { type SubscriberChange, subscribers } from './queries.ts'

const route = getRouteApi('/customers/subscribers/$id')

/** A subscriber of a group. */
export function SubscriberDetail() {
  const id = Number(route.useParams().id)
  return (
    <PersonPage
      part="subscribers"
      read={useQuery(subscribers.oneQuery(id))}
      save={subscribers.useSave(id)}
      remove={subscribers.useDelete(id)}
      periodOf={({ group_id, ends_at }) => periodOf(group_id, null, ends_at)}
      changesIn={(before, after): SubscriberChange => ({
        ...(before.group === after.group ? {} : { group_id: after.group }),
        ...(before.ends === after.ends ? {} : { ends_at: endIn(after) }),
      })}
      stopped={() => ({ ends_at: new Date().toISOString().slice(0, 19) })}
    />
  )
}

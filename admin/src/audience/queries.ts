import type { Listing, Schemas } from '@licet/client'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { beginningOf } from '../ui/charts/days.ts'
import type { Change } from '../ui/forms/editing.tsx'
import { type PageQuery, readPage } from '../ui/lists/pages.ts'
import { csvAddress, oneIn } from '../ui/lists/views.ts'
import { type AudienceSearch, type Part, STATES } from './search.ts'

export type Recipient = Schemas['NewsRecipient']
export type Member = Schemas['GroupMember']
export type Subscriber = Schemas['Subscriber']
export type RecipientChange = Schemas['NewsRecipientChange']
export type MemberChange = Schemas['GroupMemberChange']
export type SubscriberChange = Schemas['SubscriberChange']

type Calls<Row, Input, Changes, Filters> = {
  list: (query: Filters & PageQuery, options: { signal: AbortSignal }) => Listing<Row>
  count: (filters: Filters, options: { signal: AbortSignal }) => Promise<number>
  get: (
    id: number,
    query: Record<string, never>,
    options: { signal: AbortSignal; onHeaders: (headers: Headers) => void },
  ) => Promise<Row>
  create: (input: Input) => Promise<Row>
  update: (id: number, changes: Changes, options: { ifMatch?: string }) => Promise<Row>
  delete: (id: number) => Promise<unknown>
}

/** What the screens of a list ask and change: the lists differ in what they hold alone. */
function createPeople<Row extends { id: number }, Input, Changes, Filters extends object>(
  part: Part,
  path: string,
  calls: Calls<Row, Input, Changes, Filters>,
  filtersOf: (search: AudienceSearch) => Filters,
) {
  function usePeopleChange<Given, Result>(change: (given: Given) => Promise<Result>) {
    const client = useQueryClient()
    return useMutation({
      mutationFn: change,
      onSuccess: () => client.invalidateQueries({ queryKey: ['audience', part] }),
    })
  }
  return {
    listQuery: (search: AudienceSearch) =>
      queryOptions({
        queryKey: ['audience', part, 'list', search],
        queryFn: ({ signal }) => readPage((page) => calls.list({ ...filtersOf(search), ...page }, { signal }), search),
        placeholderData: keepPreviousData,
      }),
    countQuery: (search: AudienceSearch) =>
      queryOptions({
        queryKey: ['audience', part, 'count', filtersOf(search)],
        queryFn: ({ signal }) => calls.count(filtersOf(search), { signal }),
        placeholderData: keepPreviousData,
      }),
    /** One of them with the version that a change names. */
    oneQuery: (id: number) =>
      queryOptions({
        queryKey: ['audience', part, id],
        queryFn: async ({ signal }) => {
          let etag = ''
          const onHeaders = (headers: Headers) => {
            etag = headers.get('etag') ?? ''
          }
          return { person: await calls.get(id, {}, { signal, onHeaders }), etag }
        },
      }),
    /** Where those that are shown are as a file. */
    csvAddress: (search: AudienceSearch) => csvAddress(path, filtersOf(search)),
    useCreate: () => usePeopleChange((input: Input) => calls.create(input)),
    useSave: (id: number) =>
      usePeopleChange(({ changes, etag }: Change<Changes>) =>
        calls.update(id, changes, etag === undefined ? {} : { ifMatch: etag }),
      ),
    /** What is deleted is not read again. */
    useDelete: (id: number) => {
      const client = useQueryClient()
      return useMutation({
        mutationFn: () => calls.delete(id),
        onSuccess: () =>
          Promise.all(
            (['list', 'count'] as const).map((read) =>
              client.invalidateQueries({ queryKey: ['audience', part, read] }),
            ),
          ),
      })
    },
  }
}

const wordsOf = ({ q }: AudienceSearch) => (q === undefined ? {} : { q })

const groupOf = ({ group }: AudienceSearch) => (group === undefined ? {} : { group_id: group })

export const recipients = createPeople('newsletter', '/admin/api/newsrecipients.json', api.newsRecipients, (search) => {
  const state = oneIn(STATES.newsletter, search.state)
  return {
    ...wordsOf(search),
    ...(state === undefined ? {} : { state }),
    ...(search.shop === undefined ? {} : { theme_setting_id: search.shop }),
  }
})

export const members = createPeople('members', '/admin/api/groupmembers.json', api.groupMembers, (search) => {
  const state = oneIn(STATES.members, search.state)
  return {
    ...wordsOf(search),
    ...groupOf(search),
    ...(state === undefined ? {} : { state }),
    // What ends with a day ends where the next one begins.
    ...(search.from === undefined ? {} : { end_at_min: beginningOf(search.from, 1) }),
    ...(search.to === undefined ? {} : { end_at_max: beginningOf(search.to, 1) }),
  }
})

export const subscribers = createPeople('subscribers', '/admin/api/subscribers.json', api.subscribers, (search) => {
  const state = oneIn(STATES.subscribers, search.state)
  return {
    ...wordsOf(search),
    ...groupOf(search),
    ...(state === undefined ? {} : { state }),
    ...(search.from === undefined ? {} : { ends_at_min: beginningOf(search.from, 1) }),
    ...(search.to === undefined ? {} : { ends_at_max: beginningOf(search.to, 1) }),
  }
})

/** What a list needs of them. */
export type People<Row extends { id: number }> = Pick<
  ReturnType<typeof createPeople<Row, never, never, object>>,
  'listQuery' | 'countQuery' | 'csvAddress'
>

import type { Schemas } from '@licet/client'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { Change } from '../ui/forms/editing.tsx'
import { firstPage, readPage, type Span } from '../ui/lists/pages.ts'
import type { Kind } from './kinds.ts'
import type { State } from './search.ts'

export type MailTexts = Schemas['MailTexts']
export type MailText = MailTexts['texts'][number]
export type TextChange = { name: string; text: string | null }
export type Mail = Schemas['Mail']

export const mailKindsQuery = queryOptions({
  queryKey: ['mail kinds'],
  queryFn: ({ signal }) => firstPage(api.mailKinds.list(undefined, { signal })),
})

/** The texts of a kind in a language, with the version that a change names. */
export function mailTextsQuery(kind: Kind, language: string) {
  return queryOptions({
    queryKey: ['mail kinds', kind, language],
    queryFn: async ({ signal }) => {
      let etag = ''
      const onHeaders = (headers: Headers) => {
        etag = headers.get('etag') ?? ''
      }
      const mail_texts = await api.mailKinds.get(kind, language, {}, { signal, onHeaders })
      return { mail_texts, etag }
    },
  })
}

export function useSaveTexts(kind: Kind, language: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ changes, etag }: Change<{ texts?: TextChange[] }>) =>
      api.mailKinds.update(kind, language, { texts: changes.texts ?? [] }, etag === undefined ? {} : { ifMatch: etag }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['mail kinds'] }),
  })
}

export type PreviewInput = { order_id?: number; texts: TextChange[] }

/** The mail as it would be with texts that are not saved yet. */
export function previewQuery(kind: Kind, language: string, preview: PreviewInput) {
  return queryOptions({
    queryKey: ['mail previews', kind, language, preview],
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: ({ signal }) => api.mailKinds.preview(kind, language, preview, { signal }),
  })
}

export function useSendTest(kind: Kind, language: string) {
  return useMutation({
    mutationFn: async (preview: PreviewInput) => (await api.mailKinds.test.create(kind, language, preview)).recipient,
  })
}

const SHOWN = 20

/** The latest orders, one of which a preview is made with. */
export const shownOrdersQuery = queryOptions({
  queryKey: ['orders', 'for mails'],
  queryFn: ({ signal }) => firstPage(api.orders.list({ limit: SHOWN, sort: '-id' }, { signal })),
})

export function mailsQuery(state: State | undefined, span: Span) {
  const filters = state === undefined ? {} : { state }
  return queryOptions({
    queryKey: ['mails', 'list', filters, span],
    queryFn: ({ signal }) => readPage((page) => api.mails.list({ ...filters, ...page }, { signal }), span),
    placeholderData: keepPreviousData,
    // What waits is sent while somebody looks.
    refetchInterval: 5000,
  })
}

export function mailQuery(id: number) {
  return queryOptions({
    queryKey: ['mails', 'one', id],
    queryFn: ({ signal }) => api.mails.get(id, {}, { signal }),
    refetchInterval: 5000,
  })
}

export const refusedQuery = queryOptions({
  queryKey: ['mails', 'refused'],
  queryFn: ({ signal }) => firstPage(api.mails.refusedRecipients(undefined, { signal })),
})

export function useRetryMail() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => api.mails.retry(id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['mails'] }),
  })
}

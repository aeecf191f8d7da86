import type { Schemas } from '@licet/client'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, companyHeader } from '../api.ts'
import { readPage } from '../ui/lists/pages.ts'

export type Import = Schemas['Import']
export type ImportInput = Schemas['ImportInput']
export type Report = NonNullable<Import['report']>
export type Mistake = Report['mistakes'][number]
export type Undo = Schemas['ImportUndo']

const SEEN_MS = 700

export const isUnderWay = ({ state }: Import) => state === 'checking' || state === 'importing' || state === 'undoing'

/** An import with the version that a change names. While the worker is busy with it, it is read again and again. */
export function importQuery(id: number) {
  return queryOptions({
    queryKey: ['imports', id],
    queryFn: async ({ signal }) => {
      let etag = ''
      const onHeaders = (headers: Headers) => {
        etag = headers.get('etag') ?? ''
      }
      const file = await api.imports.get(id, {}, { signal, onHeaders })
      return { file, etag }
    },
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data.file) ? SEEN_MS : false),
  })
}

/** The files of the last days, newest first. */
export const importsQuery = queryOptions({
  queryKey: ['imports', 'list'],
  queryFn: ({ signal }) => readPage((page) => api.imports.list(page, { signal }), {}),
})

export type Decisions = { input: ImportInput; etag: string }

/**
 * Changes what was decided, if anything, and has the file checked. What is shown stays if somebody else was faster: it is read
 * again when the page is loaded, and not under the hands of who has typed something.
 */
export function useCheck(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ input, etag }: Decisions) => {
      if (Object.keys(input).length > 0) await api.imports.update(id, input, { ifMatch: etag })
      await api.imports.check(id)
    },
    meta: { keepsWhatIsShown: true },
    onSuccess: () => client.invalidateQueries({ queryKey: ['imports'] }),
  })
}

/** Changes what was decided, without a check. */
export function useDecide(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ input, etag }: Decisions) => api.imports.update(id, input, { ifMatch: etag }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['imports'] }),
  })
}

export function useRun(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.imports.run(id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['imports'] }),
  })
}

/** What undoing would do now: somebody may sell or change something meanwhile, so it is read anew each time. */
export function undoPreviewQuery(id: number) {
  return queryOptions({
    queryKey: ['imports', id, 'undo'],
    queryFn: ({ signal }) => api.imports.undoPreview(id, {}, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
}

export function useUndo(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.imports.undo(id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['imports'] }),
  })
}

export function useDeleteImport() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => api.imports.delete(id),
    onSettled: () => client.invalidateQueries({ queryKey: ['imports'] }),
  })
}

/** Why a file was not taken, in the words of the service; an empty message if it did not answer. */
export class FileRefused extends Error {}

/** Sends a file, and says how much of it is on its way. `fetch` could not say that. */
export function uploadFile(file: File, onShare: (share: number) => void): Promise<Import> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/admin/api/imports.json?${new URLSearchParams({ file_name: file.name.slice(0, 200) })}`)
    request.setRequestHeader('content-type', 'text/csv')
    for (const [name, value] of Object.entries(companyHeader())) request.setRequestHeader(name, value)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onShare(total === 0 ? 0 : loaded / total)
    request.onload = () => {
      const { import: taken, error = '' } = Object(request.response)
      return taken === undefined ? reject(new FileRefused(error)) : resolve(taken)
    }
    request.onerror = () => reject(new FileRefused(''))
    request.send(file)
  })
}

/** Says what a file is about that does not tell it itself. */
export function setKind(id: number, kind: NonNullable<Import['kind']>) {
  return api.imports.update(id, { kind })
}

import type { Schemas } from '@licet/client'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { Change } from '../ui/forms/editing.tsx'
import { firstPage } from '../ui/lists/pages.ts'

export type License = Schemas['License']
export type LicenseInput = Schemas['LicenseInput']
export type Trial = Schemas['LicenseTrial']
export type TrialInput = Parameters<typeof api.licenseTrials.create>[0]

/** The licenses of the service belong to all companies: nobody changes them. */
export const isGeneral = ({ assignment }: Pick<License, 'assignment'>) => assignment === 1

const PATH = '/admin/api/licenses.json'

/** All licenses in the sentences that customers read, by their ids. */
export function allTermsQuery(language: string) {
  return queryOptions({
    queryKey: ['licenses', 'in words', language],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const found = new Map<number, string>()
      for await (const { id, text } of api.licenseTerms.list({ language }, { signal })) found.set(id, text)
      return found
    },
  })
}

/** How many products are sold under each license, by its id. */
export const licenseUsesQuery = queryOptions({
  queryKey: ['licenses', 'uses'],
  queryFn: async ({ signal }) => {
    const found = new Map<number, number>()
    for await (const { id, products } of api.licenses.uses(undefined, { signal })) found.set(id, products)
    return found
  },
})

/** A license with the version that a change names. */
export function licenseQuery(id: string) {
  return queryOptions({
    queryKey: ['licenses', 'one', id],
    queryFn: async ({ signal }) => {
      let etag = ''
      const onHeaders = (headers: Headers) => {
        etag = headers.get('etag') ?? ''
      }
      return { license: await api.licenses.get(id, {}, { signal, onHeaders }), etag }
    },
  })
}

const SHOWN = 5

/** Some of the products that are sold under a license, and how many there are. */
export function productsUnderQuery(filter: { license_id: number } | { price_id: number }) {
  return queryOptions({
    queryKey: ['products', 'under', filter],
    queryFn: async ({ signal }) => {
      const fields = 'id,title,product_id,preview_pictures,price_license_binding'
      const [rows, total] = await Promise.all([
        firstPage(api.products.list({ ...filter, fields, limit: SHOWN, sort: '-id' }, { signal })),
        api.products.count(filter, { signal }),
      ])
      return { rows, total }
    },
  })
}

/** What the engine says to a situation. The last answer stays until the next one is there. */
export function trialQuery(trial: TrialInput | undefined) {
  return queryOptions({
    queryKey: ['license trial', trial],
    enabled: trial !== undefined,
    staleTime: 300_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      if (trial === undefined) throw new Error('nothing is asked')
      return api.licenseTrials.create(trial, { signal })
    },
  })
}

function useLicenseChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: change, onSuccess: () => client.invalidateQueries({ queryKey: ['licenses'] }) })
}

export const useCreateLicense = () =>
  useLicenseChange(async (license: LicenseInput) => (await api.request('POST', PATH, { body: { license } })).license)

export const useSaveLicense = (id: number) =>
  useLicenseChange(({ changes, etag }: Change<LicenseInput>) =>
    api.request('PUT', '/admin/api/licenses/{token}.json', {
      params: { token: String(id) },
      body: { license: changes },
      ...(etag === undefined ? {} : { ifMatch: etag }),
    }),
  )

export const useDeleteLicense = (id: number) =>
  useLicenseChange(() => api.request('DELETE', '/admin/api/licenses/{token}.json', { params: { token: String(id) } }))

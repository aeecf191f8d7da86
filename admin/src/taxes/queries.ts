import type { Schemas } from '@licet/client'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { matching, withEtag } from '../with-etag.ts'

export type TaxRate = Schemas['TaxRate']
export type AppliedRate = Schemas['TaxTable']['rates'][number]
export type TaxClass = TaxRate['tax_class']
export type TaxRateInput = Schemas['TaxRateInput']

export const TAX_CLASSES = ['standard', 'reduced', 'e-book'] as const satisfies readonly TaxClass[]

/** What applies today, a country in each row. */
export const taxTableQuery = queryOptions({
  queryKey: ['taxes', 'table'],
  queryFn: async ({ signal }) => {
    const { rates } = await api.taxTable.get({}, { signal })
    return [...Map.groupBy(rates, ({ country_code }) => country_code)].map(([country, known]) => ({
      country,
      rateOf: (taxClass: TaxClass) => known.find(({ tax_class }) => tax_class === taxClass),
    }))
  },
})

/** The rates that the company has set itself. */
export const ownRatesQuery = queryOptions({
  queryKey: ['taxes', 'own'],
  queryFn: async ({ signal }) => {
    const found: TaxRate[] = []
    for await (const rate of api.taxRates.list({}, { signal })) found.push(rate)
    return found
  },
})

/** A rate with the version that a change names. It is read anew whenever somebody wants to change it. */
export function ownRateQuery(id: number) {
  return queryOptions({
    queryKey: ['taxes', 'own', id],
    queryFn: ({ signal }) => withEtag('rate', (onHeaders) => api.taxRates.get(id, {}, { signal, onHeaders })),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** A change after which what is known of taxes is read again. */
function useTaxChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ queryKey: ['taxes'] }),
  })
}

export const useCreateRate = () => useTaxChange((rate: TaxRateInput) => api.taxRates.create(rate))

export const useSaveRate = () =>
  useTaxChange(({ id, etag, ...change }: Partial<TaxRateInput> & { id: number; etag: string | undefined }) =>
    api.taxRates.update(id, change, matching(etag)),
  )

export const useDeleteRate = () => useTaxChange((id: number) => api.taxRates.delete(id))

import type { Schemas } from '@licet/client'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { usePriceModels } from '../products/price-models.ts'
import type { Change } from '../ui/forms/editing.tsx'
import type { Cost, MethodChanges } from './draft.ts'

export type ShippingMethod = Schemas['ShippingMethod']
type MethodInput = Partial<Schemas['ShippingMethodInput']>

/** The methods in the order in which an order tries them. */
export const methodsQuery = queryOptions({
  queryKey: ['shipping methods', 'list'],
  queryFn: async ({ signal }) => {
    const found: ShippingMethod[] = []
    for await (const method of api.shippingMethods.list({}, { signal })) found.push(method)
    return found.sort((one, other) => one.position - other.position || one.id - other.id)
  },
})

/** A method with the version that a change names. */
export function methodQuery(id: number) {
  return queryOptions({
    queryKey: ['shipping methods', id],
    queryFn: async ({ signal }) => {
      let etag = ''
      const onHeaders = (headers: Headers) => {
        etag = headers.get('etag') ?? ''
      }
      return { method: await api.shippingMethods.get(id, {}, { signal, onHeaders }), etag }
    },
  })
}

/** A change after which what is known of shipping methods is read again. */
function useMethodChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ queryKey: ['shipping methods'] }),
  })
}

/** Amounts as price models, which methods name. Models that are not there yet are made. */
function useCosts() {
  const models = usePriceModels()
  return async ({ cost, ...changes }: MethodChanges): Promise<MethodInput> =>
    cost === undefined ? changes : { ...changes, ...(await pricesOf(cost, models.idOf)) }
}

async function pricesOf(cost: Cost, idOf: (cents: number) => Promise<number | null>): Promise<MethodInput> {
  if (cost.mode === 'one') return { price_id: cost.price_id ?? (await idOf(cost.cents)), weight_rates: [] }
  const weight_rates: NonNullable<MethodInput['weight_rates']> = []
  // One after another: two lines with the same amount share a model.
  for (const { weight_max, cents, price_id } of cost.rates)
    weight_rates.push({ weight_max, price_id: price_id ?? (await idOf(cents)) })
  return { price_id: null, weight_rates }
}

export function useCreateMethod() {
  const costs = useCosts()
  return useMethodChange(async (input: MethodChanges & { title: string }) =>
    api.shippingMethods.create({ title: input.title, ...(await costs(input)) }),
  )
}

export function useSaveMethod(id: number) {
  const costs = useCosts()
  return useMethodChange(async ({ changes, etag }: Change<MethodChanges>) =>
    api.shippingMethods.update(id, await costs(changes), etag === undefined ? {} : { ifMatch: etag }),
  )
}

/** Puts the methods in an order. Only those that change their place are written. */
export const useSortMethods = () =>
  useMethodChange(async (methods: readonly ShippingMethod[]) => {
    for (const [place, { id, position }] of methods.entries())
      if (position !== place + 1) await api.shippingMethods.update(id, { position: place + 1 })
  })

/** What is deleted is not read again. */
export function useDeleteMethod(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.shippingMethods.delete(id),
    onSuccess: () => client.invalidateQueries({ queryKey: methodsQuery.queryKey }),
  })
}

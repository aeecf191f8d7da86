import type { Schemas } from '@licet/client'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { Change } from '../ui/forms/editing.tsx'

export type ShopSettings = Schemas['ThemeSetting']
export type Section = NonNullable<ShopSettings['home_sections']>[number]
export type MenuEntry = NonNullable<ShopSettings['menu']>[number]
export type ShopChange = Schemas['ThemeSettingInput']

/** Most companies have one shop. */
const SHOPS_MAX = 50
/** The service looks at domains by itself. */
const DOMAINS_MS = 15_000

export const shopsQuery = queryOptions({
  queryKey: ['shops'],
  queryFn: async ({ signal }) => {
    const shops: Pick<ShopSettings, 'id' | 'domain' | 'name' | 'theme_id'>[] = []
    for await (const shop of api.themeSettings.list(
      { limit: SHOPS_MAX, fields: 'id,domain,name,theme_id' },
      { signal },
    )) {
      shops.push(shop)
      if (shops.length === SHOPS_MAX) break
    }
    return shops
  },
})

const isWaiting = ({ domain_proofs }: ShopSettings) => domain_proofs.some(({ status }) => status === 'waiting')

export function shopQuery(id: number) {
  return queryOptions({
    queryKey: ['shops', id],
    queryFn: async ({ signal }) => {
      let etag = ''
      const onHeaders = (headers: Headers) => {
        etag = headers.get('etag') ?? ''
      }
      return { shop: await api.themeSettings.get(id, {}, { signal, onHeaders }), etag }
    },
    refetchInterval: ({ state }) => (state.data !== undefined && isWaiting(state.data.shop) ? DOMAINS_MS : false),
  })
}

export function useSaveShop(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ changes, etag }: Change<ShopChange>) =>
      api.themeSettings.update(id, changes, etag === undefined ? {} : { ifMatch: etag }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['shops'] }),
  })
}

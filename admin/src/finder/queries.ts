import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'
import { nameOf } from '../customers/words.ts'
import { groupsQuery } from '../groups/queries.ts'
import { licenseName } from '../licenses/names.ts'
import { buyerOf } from '../orders/words.ts'
import { categoriesQuery, licensesQuery, type Price, pricesQuery } from '../products/queries.ts'
import { firstPage } from '../ui/lists/pages.ts'
import { money, shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Entry, hasWords } from './entries.ts'

/** Of each kind. */
const LIMIT = 5

type Options = { q: string; signal: AbortSignal; client: QueryClient }

async function findOrders({ q, signal }: Options): Promise<Entry[]> {
  const orders = await firstPage(api.orders.list({ q, limit: LIMIT, sort: '-id' }, { signal }))
  return orders.map((order) => ({
    key: `orders ${order.id}`,
    group: 'orders',
    title: `${order.name} ${buyerOf(order)}`,
    about: `${money(order.total_price, order.currency)}, ${shortTime(order.created_at)}`,
    link: { to: '/orders/$id', params: { id: String(order.id) } },
  }))
}

async function findProducts({ q, signal }: Options): Promise<Entry[]> {
  const products = await firstPage(api.products.list({ q, limit: LIMIT, sort: '-id' }, { signal }))
  return products.map(({ id, title, product_type }) => ({
    key: `products ${id}`,
    group: 'products',
    title,
    about: t(`products.types.${product_type}` as 'products.types.1'),
    link: { to: '/products/$id', params: { id: String(id) } },
  }))
}

async function findCustomers({ q, signal }: Options): Promise<Entry[]> {
  const customers = await firstPage(api.customers.list({ q, limit: LIMIT, sort: '-id' }, { signal }))
  return customers.map((customer) => ({
    key: `customers ${customer.token}`,
    group: 'customers',
    title: nameOf(customer),
    about: customer.email,
    link: { to: '/customers/$token', params: { token: customer.token } },
  }))
}

async function findSubscriptions({ q, signal }: Options): Promise<Entry[]> {
  const subscriptions = await firstPage(api.subscriptions.list({ q, limit: LIMIT, sort: '-id' }, { signal }))
  return subscriptions.map(({ id, email, status, created_at }) => ({
    key: `subscriptions ${id}`,
    group: 'subscriptions',
    title: email ?? String(id),
    about: `${t(`subscriptions.states.${status}`)}, ${shortTime(created_at)}`,
    link: { to: '/memberships/subscriptions/$id', params: { id: String(id) } },
  }))
}

const GROUPS_STALE_MS = 60_000

/** Groups are few, so all of them are read, and not for every letter. */
async function findGroups({ q, client }: Options): Promise<Entry[]> {
  const groups = await client.fetchQuery({ ...groupsQuery, staleTime: GROUPS_STALE_MS })
  return groups
    .filter(({ id, title }) => hasWords(`${id} ${title}`, q))
    .slice(0, LIMIT)
    .map(({ id, title, kind }) => ({
      key: `groups ${id}`,
      group: 'memberships',
      title,
      about: t(`groups.kinds.${kind}`),
      link: { to: '/memberships/$id', params: { id } },
    }))
}

/** Licenses, prices and categories are few as well, and discounts are found by their codes. */
async function findSelling({ q, signal, client }: Options): Promise<Entry[]> {
  const [licenses, prices, categories, discounts] = await Promise.allSettled([
    client.fetchQuery(licensesQuery),
    client.fetchQuery(pricesQuery),
    client.fetchQuery(categoriesQuery),
    firstPage(api.discountCodes.list({ q, limit: LIMIT, sort: '-id' }, { signal })),
  ])
  const entry = (id: number, title: string, about: string, link: Entry['link']): Entry => ({
    key: `selling ${about} ${id}`,
    group: 'selling',
    title,
    about,
    link,
  })
  const named = [
    ...readOr(licenses, []).map((license) =>
      entry(license.id, licenseName(license), t('licenses.parts.licenses'), {
        to: '/licenses/$id',
        params: { id: String(license.id) },
      }),
    ),
    ...[...readOr(prices, new Map<number, Price>()).values()].map(({ id, title }) =>
      entry(id, title, t('licenses.parts.prices'), { to: '/licenses/prices/$id', params: { id: String(id) } }),
    ),
    ...readOr(categories, []).map(({ id, title }) =>
      entry(id, title, t('menu.categories'), { to: '/categories/$id', params: { id: String(id) } }),
    ),
  ].filter(({ title }) => hasWords(title, q))
  const codes = readOr(discounts, []).map(({ id, code }) =>
    entry(id, code, t('discounts.parts.discounts'), { to: '/discounts/$id', params: { id: String(id) } }),
  )
  return [...codes, ...named].slice(0, LIMIT)
}

/** What could be read; something else instead of what the user may not read. */
const readOr = <Value>(read: PromiseSettledResult<Value>, instead: Value): Value =>
  read.status === 'fulfilled' ? read.value : instead

/** What has the words: the newest of each kind. What the user may not read is left out. */
export function foundQuery(q: string) {
  return queryOptions({
    queryKey: ['found', q],
    queryFn: async ({ signal, client }) => {
      const found = await Promise.allSettled(
        [findOrders, findProducts, findCustomers, findGroups, findSubscriptions, findSelling].map((find) =>
          find({ q, signal, client }),
        ),
      )
      return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    },
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
}

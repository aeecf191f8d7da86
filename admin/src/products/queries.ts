import type { Schemas } from '@licet/client'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { firstPage, readPage, readSortedPage, type SortedPage } from '../ui/lists/pages.ts'
import { csvAddress } from '../ui/lists/views.ts'
import { isLeaving } from './leaving.ts'
import { type ProductsSearch, SORTS, VIEWS } from './search.ts'

export type Product = Schemas['Product']
export type Price = Schemas['Price']

/** What a row of the list shows, and what is changed from there. Whole products have long texts. */
const LISTED = [
  'id',
  'title',
  'product_type',
  'product_id',
  'published',
  'published_at',
  'pre_sales',
  'valid',
  'mirrored',
  'updated_at',
  'preview_pictures',
  'price_license_binding',
  'categories',
  'content_files',
].join()

const MINUTE_MS = 60_000

/** When this minute ends: what is read again a second later is the same list, and what was published just now is not scheduled. */
const endOfMinute = () => `${new Date(Date.now() + MINUTE_MS).toISOString().slice(0, 16)}:00`

const filtersOf = ({ view = 'all', q, type }: ProductsSearch) => ({
  ...VIEWS[view],
  ...(view === 'scheduled' ? { published_at_min: endOfMinute() } : {}),
  ...(q === undefined ? {} : { q }),
  ...(type === undefined ? {} : { product_type: type }),
})

export function productsQuery(search: ProductsSearch) {
  return queryOptions({
    queryKey: ['products', 'list', search],
    queryFn: ({ signal }): Promise<SortedPage<Product>> => {
      const { sort, cursor } = search
      const filters = filtersOf(search)
      return sort === undefined
        ? readPage((span) => api.products.list({ ...filters, ...span, fields: LISTED }, { signal }), search)
        : readSortedPage((part, onHeaders) => {
            const query = { ...filters, ...part, sort: SORTS[sort], fields: LISTED }
            return api.products.list(query, { signal, onHeaders })
          }, cursor)
    },
    placeholderData: keepPreviousData,
    // What is leaving changes without the rows that were read, so that each answer counts as a new one.
    structuralSharing: false,
    select: (page) => ({ ...page, rows: page.rows.filter((row) => !isLeaving(row)) }),
  })
}

/** Where the products of a view are as a file. */
export const productsCsv = (search: ProductsSearch) => csvAddress('/admin/api/products.json', filtersOf(search))

export function productsCountQuery(search: ProductsSearch) {
  const filters = filtersOf(search)
  return queryOptions({
    queryKey: ['products', 'count', filters],
    queryFn: ({ signal }) => api.products.count(filters, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** The prices of the company, by their ids: products name them. */
export const pricesQuery = queryOptions({
  queryKey: ['prices'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const found = new Map<number, Price>()
    for await (const price of api.prices.list({}, { signal })) found.set(price.id, price)
    return found
  },
})

export type License = Schemas['License']

type NewPrice = { title: string; currencies: { currency: string; price: number }[] }

export const createPrice = async (price: NewPrice) =>
  (await api.request('POST', '/admin/api/prices.json', { body: { price } })).price

/** Makes a price model, which an offer can name. */
export function useCreatePrice() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: createPrice,
    onSuccess: () => client.invalidateQueries({ queryKey: ['prices'] }),
  })
}

/** Makes a license, which an offer can name. */
export function useCreateLicense() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (license: Schemas['LicenseInput']) =>
      (await api.request('POST', '/admin/api/licenses.json', { body: { license } })).license,
    onSuccess: () => client.invalidateQueries({ queryKey: ['licenses'] }),
  })
}

/** Shows a product in the shop, or hides it. */
export function usePublish() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, published }: { id: number; published: boolean }) => api.products.update(id, { published }),
    onSettled: () => client.invalidateQueries({ queryKey: ['products'] }),
  })
}

/** A product together with the version that was read: nobody overwrites what somebody else has changed since. */
export function productQuery(id: string) {
  return queryOptions({
    queryKey: ['products', id],
    queryFn: async ({ signal }) => {
      let etag = ''
      const onHeaders = (headers: Headers) => {
        etag = headers.get('etag') ?? ''
      }
      return { product: await api.products.get(id, {}, { signal, onHeaders }), etag }
    },
  })
}

/** The licenses that a product can be sold under. */
export const licensesQuery = queryOptions({
  queryKey: ['licenses'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const found: License[] = []
    for await (const license of api.licenses.list({}, { signal })) found.push(license)
    return found
  },
})

export function useCreateProduct() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: Schemas['ProductInput']) => api.products.create(input),
    onSuccess: () => client.invalidateQueries({ queryKey: ['products'] }),
  })
}

export function useDeleteProduct(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.products.delete(id),
    onSuccess: () => {
      client.removeQueries({ queryKey: ['products', String(id)] })
      return client.invalidateQueries({ queryKey: ['products', 'list'] })
    },
  })
}

/** How many have bought the product, or got it. Undefined for somebody who may not know. */
export function ownersQuery(productId: string) {
  return queryOptions({
    queryKey: ['entitlements', 'count', productId],
    queryFn: ({ signal }) => api.entitlements.count({ product_id: productId }, { signal }),
  })
}

export type ContentFile = Schemas['ContentFile']

/** How often the progress of a film that is being prepared is read. */
const PACKING_SEEN_MS = 2000

export function filesQuery(productId: string) {
  return queryOptions({
    queryKey: ['files', productId],
    queryFn: async ({ signal }) => {
      const files: ContentFile[] = []
      for await (const file of api.files.list({ product_id: productId }, { signal })) files.push(file)
      return files
    },
    refetchInterval: ({ state }) =>
      state.data?.some(({ packing }) => packing?.status === 'pending') === true ? PACKING_SEEN_MS : false,
  })
}

/** The files of which no copy could be made: for how many buyers, and why, by the id of the file. */
export function failuresQuery(productId: string) {
  return queryOptions({
    queryKey: ['files', productId, 'failures'],
    queryFn: async ({ signal }) => {
      const failures = new Map<number, { count: number; reason: string }>()
      for await (const { file_id, reason } of api.fileFailures.list({ product_id: productId }, { signal }))
        failures.set(file_id, { count: (failures.get(file_id)?.count ?? 0) + 1, reason })
      return failures
    },
  })
}

export type Category = Pick<Schemas['Category'], 'id' | 'title' | 'parent_id' | 'position'>

export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const categories: Category[] = []
    for await (const category of api.categories.list({ fields: 'id,title,parent_id,position' }, { signal }))
      categories.push(category)
    return categories
  },
})

/** The types of products that others are part of: collections and variations. */
const COLLECTIONS = [8, 21]

/** The collections of the company with what they include. There are few of them. */
export const collectionsQuery = queryOptions({
  queryKey: ['products', 'collections'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const fields = 'id,title,included_products'
    const lists = COLLECTIONS.map((product_type) =>
      firstPage(api.products.list({ product_type, fields, limit: 250, sort: '-id' }, { signal })),
    )
    return (await Promise.all(lists)).flat()
  },
})

/** Makes a hidden product with the texts, offers and facts of another one. */
export function useDuplicate() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ product, title }: { product: Product; title: string }) =>
      api.products.create(copyOf(product, title)),
    onSuccess: () => client.invalidateQueries({ queryKey: ['products'] }),
  })
}

const withoutId = <Part extends { id: number }>({ id: _id, ...part }: Part) => part

function copyOf(product: Product, title: string): Schemas['ProductInput'] {
  const { product_type, comment, weight, tax_class, runtime, tagging } = product
  return {
    product_type,
    title,
    published: false,
    comment,
    tax_class,
    tagging,
    ...(weight === null || weight === undefined ? {} : { weight }),
    ...(runtime === null || runtime === undefined ? {} : { runtime }),
    locales: product.locales.map(({ language_id, description, product_url, seo_title, seo_description }) => ({
      language_id,
      title,
      description,
      product_url,
      seo_title,
      seo_description,
    })),
    price_license_binding: product.price_license_binding.map(withoutId),
    categories: product.categories.map(({ category_id }) => ({ category_id })),
    groups: product.groups.map(({ group_id }) => ({ group_id })),
    themes: product.themes.map(({ theme_id }) => ({ theme_id })),
    included_products: product.included_products.map(({ product_id }) => ({ product_id })),
    preview_pictures: product.preview_pictures.map(({ src }) => ({ src: new URL(src, location.href).href })),
    tagging_genre: product.tagging_genre.map(withoutId),
    tagging_people: product.tagging_people.map(withoutId),
    tagging_director: product.tagging_director.map(withoutId),
    tagging_script: product.tagging_script.map(withoutId),
    tagging_studios: product.tagging_studios.map(withoutId),
  }
}

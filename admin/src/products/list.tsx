import './products.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useMay } from '../session/session.ts'
import { ButtonLink, DownloadLink } from '../ui/button.tsx'
import { useBulk, useTicked } from '../ui/lists/bulk.ts'
import { Failures } from '../ui/lists/bulk-bar.tsx'
import { Views } from '../ui/lists/list.tsx'
import { ListCard } from '../ui/lists/list-card.tsx'
import { withSpan, withWords } from '../ui/lists/views.ts'
import { Page } from '../ui/page.tsx'
import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { ProductsBulkBar } from './bulk/bar.tsx'
import { columnsWith } from './columns.tsx'
import {
  type Price,
  type Product,
  pricesQuery,
  productsCountQuery,
  productsCsv,
  productsQuery,
  usePublish,
} from './queries.ts'
import { type ProductsSearch, SORTS, type SortName, VIEWS, type ViewName } from './search.ts'
import { PRODUCT_TYPES } from './types.gen.ts'

const route = getRouteApi('/products')

const NO_PRICES: ReadonlyMap<number, Price> = new Map()
const VIEW_NAMES = Object.keys(VIEWS) as ViewName[]
const SORT_NAMES = Object.keys(SORTS) as SortName[]

/** The same list in another order, from its beginning. */
function withSort(
  { before: _before, after: _after, cursor: _cursor, sort: _sort, ...list }: ProductsSearch,
  sort: SortName,
) {
  return sort === 'newest' ? list : { ...list, sort }
}

/** The same list of one type, or of all, from its beginning. */
function withType(
  { type: _type, before: _before, after: _after, cursor: _cursor, ...list }: ProductsSearch,
  type?: number,
) {
  return type === undefined ? list : { ...list, type }
}

const TYPES = Object.keys(PRODUCT_TYPES).map(Number)

function TypeFilter({ type, choose }: { type: number | undefined; choose: (type: number | undefined) => void }) {
  return (
    <select
      className="input"
      aria-label={t('products.type')}
      value={type ?? ''}
      onChange={({ target }) => choose(target.value === '' ? undefined : Number(target.value))}
    >
      <option value="">{t('products.all_types')}</option>
      {TYPES.map((each) => (
        <option key={each} value={each}>
          {t(`products.types.${each}` as 'products.types.1')}
        </option>
      ))}
    </select>
  )
}

function withCursor({ cursor: _cursor, ...list }: ProductsSearch, cursor?: string): ProductsSearch {
  return cursor === undefined ? list : { ...list, cursor }
}

export function Products() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const products = useQuery(productsQuery(search))
  const total = useQuery(productsCountQuery(search)).data
  const prices = useQuery(pricesQuery).data ?? NO_PRICES
  const publish = usePublish()
  const bulk = useBulk<Product>('products', ({ title }) => t('bulk.quoted', { title }))
  const mayChange = useMay('request_products')
  const { view = 'all', sort = 'newest', type } = search
  const find = useCallback(
    (words: string) => void navigate({ search: (now) => withCursor(withWords(now, words)) }),
    [navigate],
  )
  const views = VIEW_NAMES.map((name) => ({
    key: name,
    title: t(`products.views.${name}`),
    link: {
      to: '/products',
      search: withSort({ ...(name === 'all' ? {} : { view: name }), ...(type === undefined ? {} : { type }) }, sort),
    } as const,
    isCurrent: view === name,
  }))
  const { mutate } = publish
  const setPublished = useCallback(
    ({ id, title }: Product, published: boolean) =>
      mutate(
        { id, published },
        {
          onSuccess: () =>
            published
              ? toast(t('products.now_published', { title }))
              : toast(t('products.now_hidden', { title }), {
                  title: t('common.undo'),
                  run: () => mutate({ id, published: true }),
                }),
          onError: (error) => toast(problemText(error)),
        },
      ),
    [mutate],
  )
  const own = useMemo(() => products.data?.rows.filter(({ mirrored }) => !mirrored) ?? [], [products.data])
  const ticked = useTicked(own)
  const columns = useMemo(
    () => columnsWith(prices, mayChange ? { setPublished, ticked } : undefined),
    [prices, mayChange, setPublished, ticked],
  )
  const pageAt = (cursor: string | undefined) =>
    cursor === undefined ? undefined : () => void navigate({ search: (now) => withCursor(now, cursor) })

  return (
    <Page
      title={t('menu.products')}
      actions={
        <>
          <DownloadLink href={productsCsv(search)}>{t('list.csv')}</DownloadLink>
          <ButtonLink to="/reviews">{t('reviews.title')}</ButtonLink>
          {mayChange && (
            <>
              <ButtonLink to="/imports" search={{ kind: 'products' }}>
                {t('imports.title')}
              </ButtonLink>
              <ButtonLink look="primary" icon="plus" to="/products/new">
                {t('products.new')}
              </ButtonLink>
            </>
          )}
        </>
      }
    >
      <Views views={views} />
      <Failures said={t('products.bulk.failed', { count: bulk.failures.length })} work={bulk} />
      <ListCard
        of="products"
        search={search}
        page={products}
        total={total}
        columns={columns}
        find={find}
        isFiltered={type !== undefined}
        beside={
          <>
            <TypeFilter type={type} choose={(chosen) => void navigate({ search: (now) => withType(now, chosen) })} />
            <label className="sort">
              <span className="muted">{t('products.sort.label')}</span>
              <select
                className="input"
                value={sort}
                onChange={({ target }) =>
                  void navigate({
                    search: (now) => withSort(now, SORT_NAMES.find((each) => each === target.value) ?? 'newest'),
                  })
                }
              >
                {SORT_NAMES.map((name) => (
                  <option key={name} value={name}>
                    {t(`products.sort.${name}`)}
                  </option>
                ))}
              </select>
            </label>
          </>
        }
        turnTo={(span) => void navigate({ search: (now) => withSpan(now, span) })}
        {...(sort === 'newest'
          ? {}
          : { pages: { previous: pageAt(products.data?.previous), next: pageAt(products.data?.next) } })}
        showAll={() => void navigate({ search: {} })}
      />
      <ProductsBulkBar work={bulk} ticked={ticked} shown={own.length} />
    </Page>
  )
}

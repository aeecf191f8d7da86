import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useMay } from '../session/session.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { type Column, Views } from '../ui/list.tsx'
import { ListCard } from '../ui/list-card.tsx'
import { Chip, Page } from '../ui/page.tsx'
import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { withSpan, withWords } from '../ui/views.ts'
import { money, shortTime, timeOf } from '../words/format.ts'
import { t } from '../words/words.ts'
import { Picture } from './pictures.tsx'
import { type Price, type Product, pricesQuery, productsCountQuery, productsQuery, usePublish } from './queries.ts'
import { VIEWS, type ViewName } from './search.ts'

const route = getRouteApi('/products')

const VIEW_NAMES = Object.keys(VIEWS) as ViewName[]

export function Products() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const products = useQuery(productsQuery(search))
  const total = useQuery(productsCountQuery(search)).data
  const prices = useQuery(pricesQuery).data ?? new Map<number, Price>()
  const publish = usePublish()
  const mayChange = useMay('request_products')
  const { view = 'all' } = search
  const find = useCallback((words: string) => void navigate({ search: (now) => withWords(now, words) }), [navigate])
  const views = VIEW_NAMES.map((name) => ({
    key: name,
    title: t(`products.views.${name}`),
    link: { to: '/products', search: name === 'all' ? {} : { view: name } } as const,
    isCurrent: view === name,
  }))
  const setPublished = ({ id, title }: Product, published: boolean) =>
    publish.mutate(
      { id, published },
      {
        onSuccess: () =>
          toast(published ? t('products.now_published', { title }) : t('products.now_hidden', { title })),
        onError: (error) => toast(problemText(error)),
      },
    )

  return (
    <Page
      title={t('menu.products')}
      actions={
        mayChange && (
          <ButtonLink look="primary" to="/products/new">
            {t('products.new')}
          </ButtonLink>
        )
      }
    >
      <Views views={views} />
      <ListCard
        of="products"
        search={search}
        page={products}
        total={total}
        columns={columnsWith(prices, mayChange ? setPublished : undefined)}
        find={find}
        turnTo={(span) => void navigate({ search: (now) => withSpan(now, span) })}
        showAll={() => void navigate({ search: {} })}
      />
    </Page>
  )
}

function columnsWith(
  prices: ReadonlyMap<number, Price>,
  setPublished: ((product: Product, published: boolean) => void) | undefined,
): Column<Product>[] {
  return [
    {
      title: t('products.columns.product'),
      place: 'first',
      width: 'wide',
      cell: ({ id, title, preview_pictures }) => (
        <span className="with-picture">
          <Picture src={preview_pictures[0]?.src} />
          <Link className="strong cut" to="/products/$id" params={{ id: String(id) }}>
            {title}
          </Link>
        </span>
      ),
    },
    {
      title: t('products.columns.type'),
      place: 'second',
      cell: ({ product_type }) => (
        <span className="muted">{t(`products.types.${product_type}` as 'products.types.1')}</span>
      ),
    },
    {
      title: t('products.columns.state'),
      place: 'second-end',
      width: 'narrow',
      cell: (product) => <StateChip product={product} />,
    },
    {
      title: t('products.columns.price'),
      place: 'first-end',
      isNumber: true,
      cell: (product) => <span className="figure">{priceFrom(product, prices)}</span>,
    },
    {
      title: t('products.columns.changed'),
      width: 'narrow',
      cell: ({ updated_at }) => <time className="muted">{shortTime(updated_at)}</time>,
    },
    {
      title: t('products.columns.action'),
      width: 'narrow',
      cell: (product) =>
        product.mirrored || setPublished === undefined ? null : (
          <Button look="plain" onClick={() => setPublished(product, !product.published)}>
            {product.published ? t('products.hide') : t('products.publish')}
          </Button>
        ),
    },
  ]
}

/** The lowest price, in the first currency of its model. */
function priceFrom({ price_license_binding: offers }: Product, prices: ReadonlyMap<number, Price>): string {
  const found = offers.flatMap(({ price_id }) => prices.get(price_id ?? 0)?.currencies.slice(0, 1) ?? [])
  const [lowest] = found.toSorted((one, other) => one.price - other.price)
  if (lowest === undefined) return ''
  const text = money(lowest.price, lowest.currency.toUpperCase())
  return found.length > 1 ? t('products.from', { price: text }) : text
}

/** Can it be bought, and if not, why not? */
function StateChip({ product }: { product: Product }) {
  const { published, published_at, price_license_binding: offers } = product
  if (!published) return <Chip tone="draft">{t('products.states.hidden')}</Chip>
  if (published_at !== null && timeOf(published_at) > new Date())
    return <Chip tone="wait">{t('products.states.scheduled', { time: shortTime(published_at) })}</Chip>
  if (offers.length === 0) return <Chip tone="bad">{t('products.states.no_price')}</Chip>
  return <Chip tone="ok">{t('products.states.visible')}</Chip>
}

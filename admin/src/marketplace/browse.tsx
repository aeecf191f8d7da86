import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { Picture } from '../products/pictures.tsx'
import { MADE_HERE } from '../products/types.ts'
import { useMay } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { SelectField } from '../ui/forms/fields.tsx'
import { type FilterChip, Filters } from '../ui/lists/filters.tsx'
import { type Column, Empty, SearchField, Table } from '../ui/lists/list.tsx'
import { PageFoot } from '../ui/lists/page-foot.tsx'
import type { Span } from '../ui/lists/pages.ts'
import { Card, Chip } from '../ui/page.tsx'
import { count } from '../words/format.ts'
import { t } from '../words/words.ts'
import { MarketplacePage } from './parts.tsx'
import { entriesQuery, type MarketProduct, marketProductsQuery, offerQuery } from './queries.ts'
import type { BrowseSearch } from './search.ts'
import { TakeAll } from './take-all.tsx'
import { inPercent, paragraphsOf, priceFrom, shareOf, typeOf } from './words.ts'

const route = getRouteApi('/marketplace')

/** What other companies offer, to be sold in one's own shop. */
export function Browse() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const products = useQuery(marketProductsQuery(search))
  const own = useQuery(offerQuery).data
  const mayChange = useMay('request_products')
  const entries = (useQuery(entriesQuery).data ?? []).filter(({ market_id }) => market_id !== own?.offer.id)
  const find = useCallback(
    (words: string) =>
      void navigate({
        search: ({ q: _q, before: _before, after: _after, ...now }) => ({
          ...now,
          ...(words === '' ? {} : { q: words }),
        }),
      }),
    [navigate],
  )
  const { before: _before, after: _after, ...filters } = search
  const go = (next: BrowseSearch) => void navigate({ search: next })
  const { q = '', type, market } = filters
  const { type: _type, ...withoutType } = filters
  const { market: _market, ...withoutMarket } = filters
  const nameOf = (id: number) => entries.find(({ market_id }) => market_id === id)?.company_name ?? String(id)
  const chips: FilterChip[] = [
    ...(type === undefined
      ? []
      : [{ key: 'type', title: t('marketplace.type'), value: typeOf(type), remove: () => go(withoutType) }]),
    ...(market === undefined
      ? []
      : [{ key: 'market', title: t('marketplace.company'), value: nameOf(market), remove: () => go(withoutMarket) }]),
  ]
  const { data } = products
  const turnTo = (span: Span) => go({ ...filters, ...span })
  const isNarrowed = q !== '' || chips.length > 0
  const entry = entries.find(({ market_id }) => market_id === market)
  return (
    <MarketplacePage part="browse" about={t('marketplace.about')} failed={products.isError ? products : undefined}>
      {entry !== undefined && (
        <Card title={entry.company_name} aside={t('marketplace.product_count', { count: entry.product_count })}>
          <div className="card-body stack">
            {paragraphsOf(entry.shop_description).map((text, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the paragraphs of a text that nobody changes here
              <p key={place}>{text}</p>
            ))}
            <p className="muted">{shareOf(entry.cost_to_licensees_percent)}</p>
            {mayChange && <TakeAll entry={entry} />}
          </div>
        </Card>
      )}
      <Card label={t('marketplace.list')}>
        <SearchField
          label={t('marketplace.search')}
          words={q}
          onWords={find}
          beside={
            <Filters chips={chips}>
              <SelectField
                label={t('marketplace.type')}
                value={type === undefined ? '' : String(type)}
                onValue={(value) => go(value === '' ? withoutType : { ...withoutType, type: Number(value) })}
                options={[
                  { value: '', title: t('marketplace.any') },
                  ...MADE_HERE.map((each) => ({ value: String(each), title: typeOf(each) })),
                ]}
              />
              <SelectField
                label={t('marketplace.company')}
                value={market === undefined ? '' : String(market)}
                onValue={(value) => go(value === '' ? withoutMarket : { ...withoutMarket, market: Number(value) })}
                options={[
                  { value: '', title: t('marketplace.any') },
                  ...entries.map(({ market_id, company_name, product_count }) => ({
                    value: String(market_id),
                    title: t('marketplace.company_option', { name: company_name, count: count(product_count) }),
                  })),
                ]}
              />
            </Filters>
          }
        />
        <Table
          label={t('marketplace.list')}
          columns={columns()}
          rows={data?.rows}
          keyOf={({ id }) => id}
          empty={
            <Empty icon="market" text={t(isNarrowed ? 'marketplace.none_found' : 'marketplace.none')}>
              {isNarrowed && <Button onClick={() => go({})}>{t('marketplace.show_all')}</Button>}
            </Empty>
          }
        />
        <PageFoot page={data} turnTo={turnTo} />
      </Card>
    </MarketplacePage>
  )
}

function columns(): Column<MarketProduct>[] {
  return [
    {
      title: t('marketplace.columns.product'),
      place: 'first',
      width: 'wide',
      cell: ({ id, title, src }) => (
        <span className="with-picture">
          <Picture src={src === '' ? undefined : src} />
          <Link className="strong cut" to="/marketplace/products/$id" params={{ id: String(id) }}>
            {title}
          </Link>
        </span>
      ),
    },
    { title: t('marketplace.columns.company'), place: 'second', cell: ({ company_name }) => company_name },
    {
      title: t('marketplace.columns.type'),
      cell: ({ product_type }) => <span className="muted">{typeOf(product_type)}</span>,
    },
    {
      title: t('marketplace.columns.price'),
      place: 'first-end',
      isNumber: true,
      cell: ({ terms }) => priceFrom(terms),
    },
    {
      title: t('marketplace.columns.keep'),
      place: 'second-end',
      isNumber: true,
      isNamed: true,
      cell: ({ cost_to_licensees_percent }) => inPercent(100 - cost_to_licensees_percent),
    },
    {
      title: t('marketplace.columns.state'),
      width: 'narrow',
      cell: ({ mirror }) =>
        mirror === null ? null : (
          <Chip tone={mirror.published ? 'ok' : 'draft'}>
            {t(mirror.published ? 'marketplace.states.shown' : 'marketplace.states.hidden')}
          </Chip>
        ),
    },
  ]
}

import '../licenses/licenses.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { TermsPage } from '../licenses/parts.tsx'
import { pricesQuery } from '../products/queries.ts'
import { useMay } from '../session/session.ts'
import { Button, ButtonLink, DownloadLink } from '../ui/button.tsx'
import { type Ticked, useTicked } from '../ui/lists/bulk.ts'
import { TickAll } from '../ui/lists/bulk-bar.tsx'
import { type Column, Empty, ListFoot, SearchField, Table } from '../ui/lists/list.tsx'
import { ROWS } from '../ui/lists/pages.ts'
import { RowLink } from '../ui/lists/row-link.tsx'
import { Card } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { count, money } from '../words/format.ts'
import { t } from '../words/words.ts'
import { ByPercent } from './by-percent.tsx'
import { type Price, type PriceUse, pricesCsv, priceUsesQuery } from './queries.ts'
import type { PricesSearch } from './search.ts'
import { usedFor } from './words.ts'

const route = getRouteApi('/licenses/prices')

const withPage = ({ page: _page, ...list }: PricesSearch, page: number): PricesSearch =>
  page > 1 ? { ...list, page } : list

/** The prices of the shop, what they are used for, and a change of many at once. */
export function Prices() {
  const { q = '', page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const prices = useQuery(pricesQuery)
  const uses = useQuery(priceUsesQuery).data
  const mayChange = useMay('request_products')
  const [isChanging, change] = useState(false)
  const find = useCallback((words: string) => void navigate({ search: words === '' ? {} : { q: words } }), [navigate])
  const words = q.toLowerCase()
  const found =
    prices.data === undefined
      ? undefined
      : [...prices.data.values()]
          .filter((price) => price.valid === 1 && `${price.title} ${amountsOf(price)}`.toLowerCase().includes(words))
          .toReversed()
  const shown = found?.slice((page - 1) * ROWS, page * ROWS)
  const ticked = useTicked(shown ?? [])
  const turn = (to: number) => () => void navigate({ search: (now) => withPage(now, to) })
  return (
    <TermsPage
      part="prices"
      actions={
        <>
          <DownloadLink href={pricesCsv(q === '' ? undefined : found)}>{t('list.csv')}</DownloadLink>
          {mayChange && (
            <>
              <ButtonLink to="/imports" search={{ kind: 'prices' }}>
                {t('imports.title')}
              </ButtonLink>
              <ButtonLink look="primary" icon="plus" to="/licenses/prices/new">
                {t('prices.new')}
              </ButtonLink>
            </>
          )}
        </>
      }
    >
      <Card label={t('prices.list')}>
        <SearchField label={t('prices.search')} words={q} onWords={find} />
        {prices.isError ? (
          <Problem error={prices.error} retry={() => void prices.refetch()} />
        ) : (
          <Table
            label={t('prices.list')}
            columns={columnsWith(uses, mayChange ? ticked : undefined)}
            rows={shown}
            keyOf={({ id }) => id}
            empty={
              <Empty icon="key" text={q === '' ? t('prices.none') : t('prices.none_found')}>
                {q !== '' && (
                  <ButtonLink to="/licenses/prices" search={{}}>
                    {t('prices.show_all')}
                  </ButtonLink>
                )}
              </Empty>
            }
          />
        )}
        <ListFoot
          said={t('prices.in_all', { total: count(found?.length ?? 0), count: found?.length ?? 0 })}
          newer={{ title: t('list.previous'), turn: page > 1 ? turn(page - 1) : undefined }}
          older={{ title: t('list.next'), turn: page * ROWS < (found?.length ?? 0) ? turn(page + 1) : undefined }}
        />
      </Card>
      {mayChange && ticked.chosen.length > 0 && (
        <section className="save-bar" aria-label={t('prices.chosen_label')}>
          <span className="bulk-said">{t('prices.chosen', { count: ticked.chosen.length })}</span>
          <Button look="plain" onClick={ticked.none}>
            {t('bulk.none')}
          </Button>
          <Button look="primary" onClick={() => change(true)}>
            {t('prices.by_percent')}
          </Button>
        </section>
      )}
      {isChanging && (
        <ByPercent
          ids={ticked.chosen.map(({ id }) => id)}
          close={() => change(false)}
          done={() => {
            change(false)
            ticked.none()
          }}
        />
      )}
    </TermsPage>
  )
}

function amountsOf({ currencies, countries }: Price): string {
  const shown = currencies.map(({ price, currency }) => money(price, currency.toUpperCase())).join(' · ')
  return [shown, countries.length === 0 ? '' : t('prices.countries', { count: countries.length })]
    .filter(Boolean)
    .join(' · ')
}

function columnsWith(
  uses: ReadonlyMap<number, PriceUse> | undefined,
  ticked: Ticked<Price> | undefined,
): Column<Price>[] {
  const tick: Column<Price>[] =
    ticked === undefined
      ? []
      : [
          {
            title: t('prices.choose_all'),
            heading: <TickAll ticked={ticked} label={t('prices.choose_all')} />,
            place: 'tick',
            cell: ({ id, title }) => (
              <input
                type="checkbox"
                className="tick-box"
                aria-label={t('prices.choose', { title })}
                checked={ticked.isTicked(id)}
                onChange={() => ticked.tick(id)}
              />
            ),
          },
        ]
  return [
    ...tick,
    {
      title: t('prices.columns.title'),
      place: 'first',
      width: 'wide',
      cell: ({ id, title }) => (
        <RowLink className="strong" to="/licenses/prices/$id" id={id}>
          {title}
        </RowLink>
      ),
    },
    {
      title: t('prices.columns.amounts'),
      place: 'second',
      cell: (price) => <span className="figure">{amountsOf(price)}</span>,
    },
    {
      title: t('prices.columns.used'),
      place: 'first-end',
      cell: ({ id }) => <span className="muted small used-for">{usedFor(uses?.get(id))}</span>,
    },
  ]
}

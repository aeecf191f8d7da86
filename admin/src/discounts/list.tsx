import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useMay, useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { type Column, Empty, SearchField, Table } from '../ui/lists/list.tsx'
import { PageFoot } from '../ui/lists/page-foot.tsx'
import type { Span } from '../ui/lists/pages.ts'
import { Card, Chip } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import { NewDiscount } from './new.tsx'
import { DiscountsPage } from './parts.tsx'
import { type Discount, discountsQuery } from './queries.ts'
import { stateOf, usesOf, validityOf, worthOf } from './words.ts'

const route = getRouteApi('/discounts')

/** The codes with which customers pay less. */
export function Discounts() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const discounts = useQuery(discountsQuery(search))
  const { currency } = useSession()
  const mayChange = useMay('request_products')
  const [isNew, setNew] = useState(false)
  const find = useCallback((q: string) => void navigate({ search: q === '' ? {} : { q } }), [navigate])
  const { q = '' } = search
  const { data } = discounts
  const turnTo = (span: Span) => void navigate({ search: { ...(q === '' ? {} : { q }), ...span } })
  return (
    <DiscountsPage
      part="discounts"
      about={t('discounts.about')}
      actions={
        mayChange && (
          <Button look="primary" icon="plus" onClick={() => setNew(true)}>
            {t('discounts.new')}
          </Button>
        )
      }
      failed={discounts.isError ? discounts : undefined}
    >
      <Card label={t('discounts.list')}>
        <SearchField label={t('discounts.search')} words={q} onWords={find} />
        <Table
          label={t('discounts.list')}
          columns={columnsIn(currency)}
          rows={data?.rows}
          keyOf={({ id }) => id}
          empty={
            <Empty icon="tag" text={q === '' ? t('discounts.none') : t('discounts.none_found')}>
              {q !== '' && <Button onClick={() => find('')}>{t('discounts.show_all')}</Button>}
            </Empty>
          }
        />
        <PageFoot page={data} turnTo={turnTo} />
      </Card>
      {isNew && <NewDiscount close={() => setNew(false)} />}
    </DiscountsPage>
  )
}

function columnsIn(currency: string): Column<Discount>[] {
  return [
    {
      title: t('discounts.columns.code'),
      place: 'first',
      cell: ({ id, code }) => (
        <Link className="strong" to="/discounts/$id" params={{ id: String(id) }}>
          {code}
        </Link>
      ),
    },
    { title: t('discounts.columns.worth'), place: 'second', cell: (discount) => worthOf(discount, currency) },
    { title: t('discounts.columns.valid'), cell: (discount) => <span className="muted">{validityOf(discount)}</span> },
    { title: t('discounts.columns.used'), place: 'second-end', isNumber: true, isNamed: true, cell: usesOf },
    {
      title: t('discounts.columns.state'),
      place: 'first-end',
      width: 'narrow',
      cell: (discount) => {
        const { tone, text } = stateOf(discount)
        return <Chip tone={tone}>{text}</Chip>
      },
    },
  ]
}

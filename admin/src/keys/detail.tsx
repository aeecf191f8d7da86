import './keys.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { customerQuery } from '../customers/queries.ts'
import { nameOf } from '../customers/words.ts'
import { productQuery } from '../products/queries.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { type Column, Empty, Table, Views } from '../ui/lists/list.tsx'
import { PageFoot } from '../ui/lists/page-foot.tsx'
import type { Span } from '../ui/lists/pages.ts'
import { Card, Chip, Page } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { ImportKeys } from './import.tsx'
import { keysQuery, type ListedKey, stocksQuery, useDeleteKey } from './queries.ts'
import { STATES } from './search.ts'

const route = getRouteApi('/discounts/keys/$product')

/** The keys of a program, and which customer has which. */
export function KeysOfProduct() {
  const { product } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const keys = useQuery(keysQuery(product, search))
  const title = useQuery(productQuery(product)).data?.product.title ?? product
  const stock = useQuery(stocksQuery).data?.find((each) => each.product_id === product)
  const [isImport, setImport] = useState(false)
  const [stopped, stop] = useState<ListedKey>()
  const { data } = keys
  const turnTo = (span: Span) =>
    void navigate({ search: (now) => ({ ...(now.state === undefined ? {} : { state: now.state }), ...span }) })
  return (
    <Page
      title={title}
      trail={{ to: '/discounts/keys', title: t('discounts.parts.keys') }}
      about={
        stock &&
        [
          t('license_keys.left_said', { count: stock.left }),
          ...(stock.waiting === 0 ? [] : [t('license_keys.waiting_said', { count: stock.waiting })]),
        ].join(', ')
      }
      actions={
        <Button look="primary" icon="plus" onClick={() => setImport(true)}>
          {t('license_keys.import')}
        </Button>
      }
    >
      <Views
        views={([undefined, ...STATES] as const).map((state) => ({
          key: state ?? 'all',
          title: t(`license_keys.views.${state ?? 'all'}`),
          link: {
            to: '/discounts/keys/$product',
            params: { product },
            search: state === undefined ? {} : { state },
          } as const,
          isCurrent: search.state === state,
        }))}
      />
      <Card label={t('license_keys.keys')}>
        {keys.isError ? (
          <Problem error={keys.error} retry={() => void keys.refetch()} />
        ) : (
          <Table
            label={t('license_keys.keys')}
            columns={columnsWith(stop)}
            rows={data?.rows}
            keyOf={({ id }) => id}
            empty={<Empty icon="key" text={t('license_keys.no_keys')} />}
          />
        )}
        <PageFoot page={data} turnTo={turnTo} />
      </Card>
      {isImport && <ImportKeys program={{ product_id: product, title }} close={() => setImport(false)} />}
      {stopped !== undefined && <Stop product={product} listed={stopped} close={() => stop(undefined)} />}
    </Page>
  )
}

function columnsWith(stop: (key: ListedKey) => void): Column<ListedKey>[] {
  return [
    { title: t('license_keys.key_columns.key'), place: 'first', width: 'wide', cell: ({ key }) => <code>{key}</code> },
    {
      title: t('license_keys.key_columns.state'),
      place: 'first-end',
      width: 'narrow',
      cell: ({ state }) => <Chip tone={state === 'given' ? 'ok' : 'draft'}>{t(`license_keys.states.${state}`)}</Chip>,
    },
    {
      title: t('license_keys.key_columns.customer'),
      place: 'second',
      cell: ({ customer_token, state }) =>
        customer_token === null ? (
          <span className="muted">{state === 'left' ? '' : t('license_keys.elsewhere')}</span>
        ) : (
          <Holder token={customer_token} />
        ),
    },
    {
      title: t('license_keys.key_columns.given'),
      cell: ({ given_at }) => given_at !== null && <time className="muted">{shortTime(given_at)}</time>,
    },
    {
      title: t('license_keys.stop'),
      place: 'second-end',
      heading: <span className="hidden">{t('license_keys.stop')}</span>,
      cell: (listed) =>
        listed.state === 'left' && (
          <Button
            look="plain"
            icon="close"
            aria-label={t('license_keys.stop_label', { key: listed.key })}
            onClick={() => stop(listed)}
          />
        ),
    },
  ]
}

function Holder({ token }: { token: string }) {
  const customer = useQuery(customerQuery(token)).data
  return (
    <Link to="/customers/$token" params={{ token }}>
      {customer === undefined ? t('codes.open_customer', { token }) : nameOf(customer)}
    </Link>
  )
}

function Stop({ product, listed, close }: { product: string; listed: ListedKey; close: () => void }) {
  const remove = useDeleteKey(product)
  return (
    <Confirm
      title={t('license_keys.stop_title')}
      text={t('license_keys.stop_text', { key: listed.key })}
      action={t('license_keys.stop')}
      isDanger
      problem={remove.isError ? problemText(remove.error) : undefined}
      isBusy={remove.isPending}
      confirm={() =>
        remove.mutate(listed.id, {
          onSuccess: () => {
            toast(t('license_keys.stopped'))
            close()
          },
        })
      }
      close={close}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { RightChip } from '../customers/right.tsx'
import { Picture, usePictures } from '../products/pictures.tsx'
import { useMay } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Card, Page } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { countryName, languageName, longTime, money } from '../words/format.ts'
import { t } from '../words/words.ts'
import {
  invoicesQuery,
  type Order,
  orderQuery,
  rightsQuery,
  useCancel,
  useConfirmAgain,
  useMarkPaid,
} from './queries.ts'
import { RefundCard } from './refund.tsx'
import { ShipCard } from './ship.tsx'
import { canShip, DeliveryChip, isPaid, PaymentChip } from './status.tsx'
import { Timeline } from './timeline.tsx'
import { buyerOf, grossOf } from './words.ts'

const route = getRouteApi('/orders/$id')

export function OrderDetail() {
  const { id } = route.useParams()
  const order = useQuery(orderQuery(id))
  if (order.data !== undefined) return <OrderPage order={order.data} />
  return (
    <Page title={`#${id}`} trail={{ to: '/orders', title: t('menu.orders') }}>
      {order.isError ? (
        <Problem error={order.error} retry={() => void order.refetch()} />
      ) : (
        <Card label={t('orders.bought')}>
          <div className="card-body">
            <span className="skeleton" />
          </div>
        </Card>
      )}
    </Page>
  )
}

type Doing = 'refund' | 'ship' | 'cancel' | 'pay' | undefined

function OrderPage({ order }: { order: Order }) {
  const [doing, setDoing] = useState<Doing>()
  const stop = () => setDoing(undefined)
  const left = order.total_price - refundedOf(order)
  const mayAccount = useMay('accounting')
  return (
    <Page
      title={order.name}
      trail={{ to: '/orders', title: t('menu.orders') }}
      chips={
        <>
          <PaymentChip order={order} />
          <DeliveryChip order={order} />
        </>
      }
      about={t('orders.about', { buyer: buyerOf(order), time: longTime(order.created_at) })}
      actions={
        <>
          {mayAccount && !isPaid(order) && order.cancelled_at === null && (
            <Button look="primary" icon="card" onClick={() => setDoing('pay')}>
              {t('orders.mark_paid')}
            </Button>
          )}
          {canShip(order) && (
            <Button icon="truck" onClick={() => setDoing('ship')}>
              {t('orders.ship')}
            </Button>
          )}
          {mayAccount && isPaid(order) && left > 0 && (
            <Button icon="undo" onClick={() => setDoing('refund')}>
              {t('orders.refund')}
            </Button>
          )}
          {order.confirmed && order.cancelled_at === null && <ConfirmAgain order={order} />}
          {mayAccount && order.cancelled_at === null && (
            <Button look="danger" onClick={() => setDoing('cancel')}>
              {t('orders.cancel')}
            </Button>
          )}
        </>
      }
    >
      {order.cancelled_at !== null && (
        <p className="notice wait">{t('orders.was_cancelled', { time: longTime(order.cancelled_at) })}</p>
      )}
      <div className="columns">
        <div className="stack">
          <Bought order={order} />
          {doing === 'refund' && <RefundCard order={order} close={stop} />}
          {doing === 'ship' && <ShipCard order={order} close={stop} />}
          <Rights order={order} />
          <Timeline order={order} />
        </div>
        <div className="stack">
          <Buyer order={order} />
          <Payment order={order} />
        </div>
      </div>
      {doing === 'cancel' && <CancelQuestion order={order} close={stop} />}
      {doing === 'pay' && <PaidQuestion order={order} close={stop} />}
    </Page>
  )
}

/** For a customer who has lost the mail, or never got it. */
function ConfirmAgain({ order }: { order: Order }) {
  const confirm = useConfirmAgain(order.id)
  const say = { onSuccess: () => toast(t('orders.confirmed_again', { email: order.email })) }
  const fail = { onError: (error: Error) => toast(problemText(error)) }
  return (
    <Button icon="mail" disabled={confirm.isPending} onClick={() => confirm.mutate(undefined, { ...say, ...fail })}>
      {t('orders.confirm_again')}
    </Button>
  )
}

export function refundedOf({ refunds }: Order): number {
  return refunds.flatMap(({ transactions }) => transactions).reduce((sum, { amount }) => sum + amount, 0)
}

function Bought({ order }: { order: Order }) {
  const { line_items: lines, currency } = order
  const pictures = usePictures(lines.map(({ product_id }) => product_id))
  return (
    <Card title={t('orders.bought')} aside={t('orders.things', { count: lines.length })}>
      <ul className="rows">
        {lines.map((line) => (
          <li key={line.id}>
            <Picture src={pictures.get(line.product_id)} isLarge />
            <span className="grow">
              <span className="strong">{line.title}</span>
              <br />
              <span className="muted">{line.license_title ?? (line.requires_shipping ? t('orders.goods') : '')}</span>
            </span>
            {line.quantity > 1 && <span className="muted figure">{t('orders.pieces', { count: line.quantity })}</span>}
            <span className="figure">{money(grossOf(line), currency)}</span>
          </li>
        ))}
      </ul>
      <dl className="sums">
        {order.total_discounts > 0 && (
          <>
            <dt>{t('orders.discounts', { codes: order.discount_codes.map(({ code }) => code).join(', ') })}</dt>
            <dd>−{money(order.total_discounts, currency)}</dd>
          </>
        )}
        {order.shipping_lines.map((shipping) => (
          <ShippingLine key={shipping.title} title={shipping.title} price={money(shipping.price, currency)} />
        ))}
        <dt className="muted">{t('orders.tax')}</dt>
        <dd className="muted">{money(order.total_tax, currency)}</dd>
        <dt className="total">{isPaid(order) ? t('orders.paid') : t('orders.to_pay')}</dt>
        <dd className="total">{money(order.total_price, currency)}</dd>
      </dl>
    </Card>
  )
}

function ShippingLine({ title, price }: { title: string; price: string }) {
  return (
    <>
      <dt>{t('orders.shipping', { title })}</dt>
      <dd>{price}</dd>
    </>
  )
}

/** What the customer got, and how it stands, in the words of the license. */
function Rights({ order }: { order: Order }) {
  const rights = useQuery(rightsQuery(order.id))
  if (rights.data === undefined || rights.data.length === 0) return null
  return (
    <Card title={t('orders.rights', { buyer: buyerOf(order) })}>
      <ul className="rows">
        {rights.data.map((right) => (
          <li key={right.id}>
            <span className="grow">
              <span className="strong">{right.title}</span>
              <br />
              <span className="muted small">{right.reason ?? right.terms}</span>
            </span>
            <RightChip right={right} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Buyer({ order }: { order: Order }) {
  const { customer, shipping_address: address } = order
  return (
    <Card
      title={t('orders.customer')}
      end={
        customer === null ? undefined : (
          <Link to="/customers/$token" params={{ token: order.customer_token }}>
            {t('orders.open_customer')}
          </Link>
        )
      }
    >
      <dl className="facts">
        <div>
          <dt className="hidden">{t('orders.name')}</dt>
          <dd className="strong">{buyerOf(order)}</dd>
          {customer !== null && (
            <dd className="muted">
              {t('orders.history', {
                count: customer.orders_count,
                spent: money(customer.total_spent, order.currency),
              })}
            </dd>
          )}
        </div>
        <div>
          <dt>{t('orders.email')}</dt>
          <dd>
            <a href={`mailto:${order.email}`}>{order.email}</a>
          </dd>
        </div>
        {customer !== null && (
          <div>
            <dt>{t('orders.language')}</dt>
            <dd>{languageName(customer.language)}</dd>
          </div>
        )}
        {address !== null && (
          <div>
            <dt>{t('orders.ships_to')}</dt>
            <dd>{[address.name, address.address1, address.address2].filter(Boolean).join(', ')}</dd>
            <dd>
              {[`${address.zip} ${address.city}`.trim(), countryName(address.country_code)].filter(Boolean).join(', ')}
            </dd>
          </div>
        )}
      </dl>
    </Card>
  )
}

function Payment({ order }: { order: Order }) {
  const invoices = useQuery({ ...invoicesQuery(order.id), enabled: useMay('accounting') })
  return (
    <Card title={t('orders.columns.payment')}>
      <dl className="facts">
        <div>
          <dt>{t('orders.gateway')}</dt>
          <dd>{order.gateway}</dd>
        </div>
        {invoices.data?.map((invoice) => (
          <div key={invoice.id}>
            <dt>{t('orders.invoice')}</dt>
            <dd>
              <a href={`/admin/api/orders/${order.id}/invoice.pdf`}>{invoice.number}</a>
            </dd>
          </div>
        ))}
        {order.po_number !== '' && (
          <div>
            <dt>{t('orders.po_number')}</dt>
            <dd>{order.po_number}</dd>
          </div>
        )}
        {order.landing_site !== null && (
          <div>
            <dt>{t('orders.landing')}</dt>
            <dd>{order.landing_site}</dd>
          </div>
        )}
        {order.referring_site !== null && (
          <div>
            <dt>{t('orders.referrer')}</dt>
            <dd>{order.referring_site}</dd>
          </div>
        )}
      </dl>
    </Card>
  )
}

function CancelQuestion({ order, close }: { order: Order; close: () => void }) {
  const cancel = useCancel(order.id)
  return (
    <Confirm
      title={t('orders.cancel_title', { order: order.name })}
      text={isPaid(order) ? t('orders.cancel_paid') : t('orders.cancel_unpaid')}
      action={t('orders.cancel_action')}
      isDanger
      problem={cancel.isError ? problemText(cancel.error) : undefined}
      isBusy={cancel.isPending}
      confirm={() =>
        cancel.mutate(undefined, {
          onSuccess: () => {
            close()
            toast(t('orders.cancelled', { order: order.name }))
          },
        })
      }
      close={close}
    />
  )
}

function PaidQuestion({ order, close }: { order: Order; close: () => void }) {
  const markPaid = useMarkPaid(order.id)
  return (
    <Confirm
      title={t('orders.paid_title', { amount: money(order.total_price, order.currency) })}
      text={t('orders.paid_text')}
      action={t('orders.mark_paid')}
      problem={markPaid.isError ? problemText(markPaid.error) : undefined}
      isBusy={markPaid.isPending}
      confirm={() =>
        markPaid.mutate(undefined, {
          onSuccess: () => {
            close()
            toast(t('orders.marked_paid', { order: order.name }))
          },
        })
      }
      close={close}
    />
  )
}

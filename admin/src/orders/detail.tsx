import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { FlaggedPayments } from '../payments/flagged.tsx'
import { Picture, usePictures } from '../products/pictures.tsx'
import { useMay } from '../session/session.ts'
import { SubscriptionOfOrder } from '../subscriptions/of.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Card, Chip, Page } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { longTime, money } from '../words/format.ts'
import { t } from '../words/words.ts'
import { Buyer, OtherOrders, Payment } from './beside.tsx'
import { Got } from './got.tsx'
import { type Order, orderQuery, useCancel, useConfirmAgain, useMarkPaid } from './queries.ts'
import { RefundCard } from './refund.tsx'
import { ShipCard } from './ship.tsx'
import { canShip, DeliveryChip, isPaid, PaymentChip } from './status.tsx'
import { Timeline } from './timeline.tsx'
import { Withdrawals } from './withdrawals.tsx'
import { buyerOf, grossOf, refundedOf } from './words.ts'

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
          {order.test && order.financial_status !== 'paid' && <Chip tone="test">{t('orders.payment.test')}</Chip>}
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
          <FlaggedPayments orderId={order.id} />
          <Withdrawals
            order={order}
            refund={mayAccount && isPaid(order) && left > 0 ? () => setDoing('refund') : undefined}
          />
          <Bought order={order} />
          {doing === 'refund' && <RefundCard order={order} close={stop} />}
          {doing === 'ship' && <ShipCard order={order} close={stop} />}
          <Got order={order} />
          <Timeline order={order} />
        </div>
        <div className="stack">
          <Buyer order={order} />
          <Payment order={order} />
          {isOnePlan(order) && <SubscriptionOfOrder orderId={order.id} />}
          <OtherOrders order={order} />
        </div>
      </div>
      {doing === 'cancel' && <CancelQuestion order={order} close={stop} />}
      {doing === 'pay' && <PaidQuestion order={order} close={stop} />}
    </Page>
  )
}

/** May it be a period of a subscription? A plan is alone in its order, and nothing of it is sent or licensed. */
function isOnePlan({ line_items: [line, other] }: Order): boolean {
  return line !== undefined && other === undefined && line.license_title === null && !line.requires_shipping
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

function Bought({ order }: { order: Order }) {
  const { line_items: lines, currency } = order
  const pictures = usePictures(lines.map(({ product_id }) => product_id))
  const refunded = refundedOf(order)
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
            <span className="line-price">
              {line.quantity > 1 && (
                <span className="muted figure">{t('orders.pieces', { count: line.quantity })}</span>
              )}
              <span className="figure">{money(grossOf(line), currency)}</span>
            </span>
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
        {refunded > 0 && (
          <>
            <dt>{t('orders.payment.refunded')}</dt>
            <dd>−{money(refunded, currency)}</dd>
          </>
        )}
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

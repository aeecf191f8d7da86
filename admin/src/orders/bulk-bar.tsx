import { useState } from 'react'
import { useMay } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Icon } from '../ui/icons.tsx'
import type { Bulk, Ticked, Work } from '../ui/lists/bulk.ts'
import { BulkBar } from '../ui/lists/bulk-bar.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { confirmWork, csvOf, hasParcel, leftOf, payWork, refundWork, shipWork, slipsOf } from './bulk.ts'
import { BulkRefund } from './bulk-refund.tsx'
import type { Order } from './queries.ts'
import { canShip, isPaid } from './status.tsx'

type Deed = 'ship' | 'confirm' | 'pay'

const WORK: Record<Deed, Work<Order>> = { ship: shipWork, confirm: confirmWork, pay: payWork }

/** What can be done with the orders that are ticked. Whatever goes to customers is asked first. */
export function OrdersBulkBar({ work, ticked, shown }: { work: Bulk<Order>; ticked: Ticked<Order>; shown: number }) {
  const { chosen } = ticked
  const [asked, setAsked] = useState<Deed | 'refund'>()
  const mayAccount = useMay('accounting')
  const count = chosen.length
  const packable = chosen.filter(hasParcel)
  const close = () => setAsked(undefined)
  const run = async (deed: Deed | 'refund', each: Work<Order>) => {
    close()
    const done = await work.run(chosen, each)
    toast(t(`orders.bulk.done.${deed}`, { count: done }))
    ticked.none()
  }
  return (
    <>
      <BulkBar
        label={t('orders.bulk.label')}
        work={work}
        ticked={ticked}
        said={t('orders.bulk.chosen', { count })}
        shown={shown}
      >
        {chosen.some(canShip) && (
          <Button icon="truck" onClick={() => setAsked('ship')}>
            {t('orders.ship')}
          </Button>
        )}
        {mayAccount && chosen.some((order) => !isPaid(order) && order.cancelled_at === null) && (
          <Button icon="card" onClick={() => setAsked('pay')}>
            {t('orders.mark_paid')}
          </Button>
        )}
        <Button icon="mail" onClick={() => setAsked('confirm')}>
          {t('orders.bulk.confirm')}
        </Button>
        {mayAccount && chosen.some((order) => leftOf(order) > 0) && (
          <Button icon="undo" onClick={() => setAsked('refund')}>
            {t('orders.refund')}
          </Button>
        )}
        {packable.length > 0 && (
          <a className="button" href={slipsOf(packable)} target="_blank" rel="noreferrer">
            <Icon name="file" />
            {t('orders.bulk.slips')}
          </a>
        )}
        <a className="button" href={csvOf(chosen)} download>
          <Icon name="download" />
          {t('orders.bulk.export')}
        </a>
      </BulkBar>
      {asked === 'refund' && (
        <BulkRefund
          orders={chosen}
          refund={(note, restock) => void run('refund', refundWork(note, restock))}
          close={close}
        />
      )}
      {asked !== undefined && asked !== 'refund' && (
        <Confirm
          title={t(`orders.bulk.title.${asked}`, { count })}
          text={t(`orders.bulk.text.${asked}`)}
          action={t(`orders.bulk.action.${asked}`)}
          problem={undefined}
          isBusy={false}
          confirm={() => void run(asked, WORK[asked])}
          close={close}
        />
      )}
    </>
  )
}

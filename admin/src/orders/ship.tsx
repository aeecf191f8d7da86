import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Refusal } from '../ui/forms/changed.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Card } from '../ui/page.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { type Order, useParcelVersion, useShip } from './queries.ts'

/** Says that the goods of an order are on their way. */
export function ShipCard({ order, close }: { order: Order; close: () => void }) {
  const [tracking, setTracking] = useState('')
  const version = useParcelVersion(order.id)
  const ship = useShip(order.id)
  const goods = order.line_items.filter((line) => line.requires_shipping)
  const store = (etag = version) =>
    ship.mutate(
      { tracking: tracking.trim(), etag },
      {
        onSuccess: () => {
          close()
          toast(t('ship.done', { order: order.name }))
        },
      },
    )
  return (
    <Card title={t('ship.title')}>
      <ul className="rows">
        {goods.map((line) => (
          <li key={line.id}>
            <span className="grow">{line.title}</span>
            <span className="figure">× {line.quantity}</span>
          </li>
        ))}
      </ul>
      <form
        className="card-body stack"
        onSubmit={(event) => {
          event.preventDefault()
          store()
        }}
      >
        <TextField
          label={t('ship.tracking')}
          hint={t('ship.tracking_hint')}
          value={tracking}
          onValue={setTracking}
          maxLength={100}
        />
        {ship.isError && <Refusal error={ship.error} showTheirs={close} saveMine={() => store('*')} />}
        <div className="actions">
          <Button type="submit" look="primary" icon="truck" disabled={ship.isPending || version === undefined}>
            {t('ship.action')}
          </Button>
          <Button look="plain" onClick={close}>
            {t('common.back')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

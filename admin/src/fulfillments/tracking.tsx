import { LicetError } from '@licet/client'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { type Fulfillment, SHIPPED, useChangeFulfillment } from './queries.ts'
import { goodsIn, orderName } from './words.ts'

/** The longest tracking number that the service takes. */
export const NUMBER_MAX = 64

/** Ships a parcel, or changes where it is followed. */
export function Tracking({ parcel, close }: { parcel: Fulfillment; close: () => void }) {
  const [number, setNumber] = useState(parcel.tracking_number)
  const [carrier, setCarrier] = useState(parcel.tracking_company)
  const change = useChangeFulfillment()
  const isShipped = parcel.status === SHIPPED
  const order = orderName(parcel)
  const errors = change.error instanceof LicetError ? change.error.errors : {}
  const store = () =>
    change.mutate(
      {
        id: parcel.id,
        tracking_number: number.trim(),
        tracking_company: carrier.trim(),
        ...(isShipped ? {} : { status: SHIPPED }),
      },
      {
        onSuccess: () => {
          toast(t(isShipped ? 'fulfillments.changed' : 'fulfillments.shipped', { order }))
          close()
        },
      },
    )
  return (
    <Dialog title={t(isShipped ? 'fulfillments.change_title' : 'fulfillments.ship_title', { order })} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          store()
        }}
      >
        <p className="muted">{goodsIn(parcel).join(', ')}</p>
        <TextField
          label={t('fulfillments.carrier')}
          value={carrier}
          onValue={setCarrier}
          error={errors.tracking_company?.[0]}
          maxLength={100}
        />
        <TextField
          label={t('fulfillments.number')}
          hint={t('fulfillments.number_hint')}
          value={number}
          onValue={setNumber}
          error={errors.tracking_number?.[0]}
          maxLength={NUMBER_MAX}
        />
        {change.isError && Object.keys(errors).length === 0 && (
          <p className="notice bad" role="alert">
            {problemText(change.error)}
          </p>
        )}
        <div className="actions">
          <Button type="submit" look="primary" icon="truck" disabled={change.isPending}>
            {t(isShipped ? 'fulfillments.save' : 'fulfillments.ship')}
          </Button>
          <Button look="plain" onClick={close}>
            {t('common.back')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

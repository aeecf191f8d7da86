import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Refusal } from '../ui/forms/changed.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { errorsOf, Problem } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { type Fulfillment, fulfillmentQuery, SHIPPED, useChangeFulfillment } from './queries.ts'
import { goodsIn, orderName } from './words.ts'

/** The longest tracking number that the service takes. */
export const NUMBER_MAX = 64

/** Ships a parcel, or changes where it is followed: the parcel as it is now, which may not be as the list has it. */
export function Tracking({ id, close }: { id: number; close: () => void }) {
  const read = useQuery({ ...fulfillmentQuery(id), gcTime: 0, staleTime: Number.POSITIVE_INFINITY })
  const [version, setVersion] = useState(0)
  const renew = () => void read.refetch().then(() => setVersion((now) => now + 1))
  if (read.data === undefined)
    return read.isError ? <Problem error={read.error} retry={() => void read.refetch()} /> : null
  return <TrackingDialog key={version} read={read.data} renew={renew} close={close} />
}

type TrackingDialogProps = { read: { parcel: Fulfillment; etag: string }; renew: () => void; close: () => void }

function TrackingDialog({ read, renew, close }: TrackingDialogProps) {
  // What was typed is a change of this version, whatever is read meanwhile.
  const [{ parcel, etag: readEtag }] = useState(read)
  const [number, setNumber] = useState(parcel.tracking_number)
  const [carrier, setCarrier] = useState(parcel.tracking_company)
  const change = useChangeFulfillment()
  const isShipped = parcel.status === SHIPPED
  const order = orderName(parcel)
  const errors = errorsOf(change.error)
  const store = (etag = readEtag) =>
    change.mutate(
      {
        id: parcel.id,
        etag,
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
          <Refusal error={change.error} showTheirs={renew} saveMine={() => store('*')} />
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

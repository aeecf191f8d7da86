import { Link } from '@tanstack/react-router'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import type { Ticked } from '../ui/lists/bulk.ts'
import { TickAll } from '../ui/lists/bulk-bar.tsx'
import type { Column } from '../ui/lists/list.tsx'
import { shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Fulfillment, SHIPPED } from './queries.ts'
import { goodsIn, orderName, placeOf, recipientOf, weightOf } from './words.ts'

export function columnsWith(ticked: Ticked<Fulfillment>, show: (parcel: Fulfillment) => void): Column<Fulfillment>[] {
  return [
    {
      title: t('fulfillments.label'),
      heading: <TickAll ticked={ticked} label={t('fulfillments.choose_all')} />,
      place: 'tick',
      cell: (parcel) => (
        <input
          type="checkbox"
          className="tick-box"
          aria-label={t('fulfillments.choose', { order: orderName(parcel) })}
          checked={ticked.isTicked(parcel.id)}
          onChange={() => ticked.tick(parcel.id)}
        />
      ),
    },
    {
      title: t('fulfillments.columns.order'),
      place: 'first',
      cell: (parcel) => <OrderLink parcel={parcel} />,
    },
    {
      title: t('fulfillments.columns.time'),
      width: 'narrow',
      cell: ({ created_at }) => <time className="muted">{shortTime(created_at)}</time>,
    },
    {
      title: t('fulfillments.columns.to'),
      cell: (parcel) => (
        <>
          {recipientOf(parcel)}
          <br />
          <span className="muted small">{placeOf(parcel)}</span>
        </>
      ),
    },
    {
      title: t('fulfillments.columns.goods'),
      place: 'second',
      width: 'wide',
      cell: (parcel) => (
        <>
          {goodsIn(parcel).map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
          <span className="muted small only-phone">{[recipientOf(parcel), placeOf(parcel)].join(', ')}</span>
        </>
      ),
    },
    {
      title: t('fulfillments.columns.weight'),
      isNumber: true,
      cell: (parcel) => weightOf(parcel),
    },
    {
      title: t('fulfillments.columns.tracking'),
      place: 'first-end',
      cell: (parcel) => <TrackingCell parcel={parcel} show={() => show(parcel)} />,
    },
  ]
}

/** The order of another company is not shown to those who ship for it. */
function OrderLink({ parcel }: { parcel: Fulfillment }) {
  const { company } = useSession()
  if (parcel.owner_company !== company.id)
    return (
      <>
        <span className="strong figure">{orderName(parcel)}</span>
        <br />
        <span className="muted small">{t('fulfillments.for_company', { company: String(parcel.owner_company) })}</span>
      </>
    )
  return (
    <Link className="strong figure" to="/orders/$id" params={{ id: String(parcel.id) }}>
      {orderName(parcel)}
    </Link>
  )
}

function TrackingCell({ parcel, show }: { parcel: Fulfillment; show: () => void }) {
  const { tracking_number, tracking_company, tracking_url, status } = parcel
  const said = [tracking_company, tracking_number].filter(Boolean).join(' ')
  return (
    <span className="tracking">
      {tracking_number !== '' && (
        <span className="cut">
          {tracking_url === '' ? (
            said
          ) : (
            <a href={tracking_url} target="_blank" rel="noreferrer">
              {said}
            </a>
          )}
        </span>
      )}
      <Button
        onClick={show}
        aria-label={`${t(status === SHIPPED ? 'fulfillments.change' : 'fulfillments.ship_one')} ${orderName(parcel)}`}
      >
        {t(status === SHIPPED ? 'fulfillments.change' : 'fulfillments.ship_one')}
      </Button>
    </span>
  )
}

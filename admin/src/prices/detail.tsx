import '../licenses/licenses.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { UsedBy } from '../licenses/used-by.tsx'
import { useMay } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { SaveBar, useEditing } from '../ui/forms/editing.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Chip, Page } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { changesIn, draftOf } from './draft.ts'
import { Amounts, PriceFields } from './fields.tsx'
import { type Price, priceQuery, priceUsesQuery, useDeletePrice, useSavePrice } from './queries.ts'
import { isUsed, usedFor } from './words.ts'

const route = getRouteApi('/licenses/prices/$id')
const trail = () => ({ to: '/licenses/prices', title: t('licenses.parts.prices') })

/** A price: its amounts, what customers pay, and what it is used for. */
export function PriceDetail() {
  const { id } = route.useParams()
  const read = useQuery({ ...priceQuery(id), refetchOnWindowFocus: false })
  if (read.data !== undefined) return <PricePage key={id} read={read.data} />
  return (
    <Page title={t('prices.one')} trail={trail()}>
      {read.isError ? <Problem error={read.error} retry={() => void read.refetch()} /> : <WaitingRows count={3} />}
    </Page>
  )
}

type Read = { price: Price; etag: string }
const draftOfRead = ({ price }: Read) => draftOf(price)

function PricePage({ read }: { read: Read }) {
  const { price } = read
  const use = useQuery(priceUsesQuery).data?.get(price.id)
  const isOpen = useMay('request_products') && price.valid === 1
  const [isAsked, ask] = useState(false)
  const { draft, set, errorAt, submit, bar } = useEditing({
    read,
    draftOf: draftOfRead,
    changesIn,
    save: useSavePrice(price.id),
    saidOf: ({ title }) => t('prices.saved', { title }),
  })
  return (
    <Page
      title={price.title}
      trail={trail()}
      {...(price.valid === 1 ? {} : { chips: <Chip tone="bad">{t('licenses.deleted_chip')}</Chip> })}
      about={t('prices.changed_at', { time: dayAndTime(price.modified_at) })}
      actions={
        isOpen && (
          <Button look="danger" onClick={() => ask(true)}>
            {t('prices.delete')}
          </Button>
        )
      }
    >
      <form className="columns" onSubmit={submit}>
        <fieldset className="stack" disabled={!isOpen}>
          <PriceFields draft={draft} set={set} errorAt={errorAt} />
        </fieldset>
        <div className="stack">
          <Amounts draft={draft} />
          <Card title={t('prices.columns.used')}>
            <p className="card-body">{usedFor(use)}</p>
          </Card>
          <UsedBy filter={{ price_id: price.id }} />
        </div>
        <SaveBar {...bar} note={t('prices.keeps')} />
      </form>
      {isAsked && (
        <DeleteQuestion price={price} used={isUsed(use) ? usedFor(use) : undefined} close={() => ask(false)} />
      )}
    </Page>
  )
}

function DeleteQuestion({ price, used, close }: { price: Price; used: string | undefined; close: () => void }) {
  const remove = useDeletePrice(price.id)
  const navigate = useNavigate()
  const { title } = price
  return (
    <Confirm
      title={t('prices.delete_title', { title })}
      text={used === undefined ? t('prices.delete_text') : t('prices.delete_used', { used })}
      action={t('prices.delete')}
      isDanger
      problem={remove.isError ? problemText(remove.error) : undefined}
      isBusy={remove.isPending || used !== undefined}
      confirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            toast(t('prices.deleted', { title }))
            void navigate({ to: '/licenses/prices', search: {} })
          },
        })
      }
      close={close}
    />
  )
}

import './discounts.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMay, useSession } from '../session/session.ts'
import { SaveBar, useEditing } from '../ui/forms/editing.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Chip, Page } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { t } from '../words/words.ts'
import { changesIn, draftOf, isReadable } from './draft.ts'
import { End } from './end.tsx'
import { DiscountFields } from './fields.tsx'
import { type Discount, discountQuery, useSaveDiscount } from './queries.ts'
import { UsedBy } from './used-by.tsx'
import { stateOf, validityOf, worthOf } from './words.ts'

const route = getRouteApi('/discounts/$id')
const TRAIL = () => ({ to: '/discounts', title: t('menu.discounts') })

type Read = { discount: Discount; etag: string }

/** A discount: what it is, and who used it. */
export function DiscountDetail() {
  const id = Number(route.useParams().id)
  const read = useQuery(discountQuery(id))
  const { currency } = useSession()
  const mayChange = useMay('request_products')
  if (read.data === undefined)
    return (
      <Page title={t('menu.discounts')} trail={TRAIL()}>
        {read.isError ? <Problem error={read.error} retry={() => void read.refetch()} /> : <WaitingRows count={3} />}
      </Page>
    )
  const { discount } = read.data
  const { tone, text, state } = stateOf(discount)
  return (
    <Page
      title={discount.code}
      trail={TRAIL()}
      chips={<Chip tone={tone}>{text}</Chip>}
      about={`${worthOf(discount, currency)}, ${validityOf(discount)}`}
      actions={mayChange && <End discount={discount} canStop={state !== 'ended'} />}
    >
      <div className="columns">
        <UsedBy discount={discount} />
        {mayChange && <Editor key={id} read={read.data} />}
      </div>
    </Page>
  )
}

function Editor({ read }: { read: Read }) {
  const save = useSaveDiscount(read.discount.id)
  const { draft, set, errorAt, submit, bar } = useEditing({
    read,
    draftOf,
    changesIn,
    save,
    saidOf: ({ code }) => t('discounts.saved', { code }),
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        // What is wrong is said beside its field already.
        if (isReadable(draft)) submit(event)
        else event.preventDefault()
      }}
    >
      <Card title={t('discounts.details')}>
        <div className="card-body stack">
          <DiscountFields draft={draft} set={set} errorAt={errorAt} isTried />
        </div>
      </Card>
      <SaveBar {...bar} />
    </form>
  )
}

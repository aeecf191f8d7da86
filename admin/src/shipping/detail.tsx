import './shipping.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { usePriceModels } from '../products/price-models.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { SaveBar, useEditing } from '../ui/forms/editing.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Page } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { changesIn, draftOf, isReadable } from './draft.ts'
import { MethodFields } from './fields.tsx'
import { methodQuery, type ShippingMethod, useDeleteMethod, useSaveMethod } from './queries.ts'

const route = getRouteApi('/settings/shipping/$id')
const TRAIL = () => ({ to: '/settings/shipping', title: t('settings.parts.shipping') })

/** A shipping method, and the fields to change it. */
export function MethodDetail() {
  const id = Number(route.useParams().id)
  const read = useQuery(methodQuery(id))
  const models = usePriceModels()
  if (read.data !== undefined && models.isKnown) return <Editor key={id} read={read.data} centsOf={models.centsOf} />
  return (
    <Page title={t('settings.parts.shipping')} trail={TRAIL()}>
      {read.isError ? <Problem error={read.error} retry={() => void read.refetch()} /> : <WaitingRows count={3} />}
    </Page>
  )
}

type Read = { method: ShippingMethod; etag: string }

function Editor({ read, centsOf }: { read: Read; centsOf: (id: number | null) => number | undefined }) {
  const { method } = read
  const save = useSaveMethod(method.id)
  const { draft, set, errorAt, submit, bar } = useEditing({
    read,
    draftOf: (each: Read) => draftOf(each.method, centsOf),
    changesIn,
    save,
    saidOf: ({ title }) => t('shipping.saved', { title }),
  })
  return (
    <Page title={method.title} trail={TRAIL()} actions={<Delete method={method} />}>
      <form
        className="stack"
        onSubmit={(event) => {
          // What is wrong is said beside its field already.
          if (isReadable(draft)) submit(event)
          else event.preventDefault()
        }}
      >
        <MethodFields draft={draft} set={set} errorAt={errorAt} />
        <SaveBar {...bar} />
      </form>
    </Page>
  )
}

function Delete({ method }: { method: ShippingMethod }) {
  const remove = useDeleteMethod(method.id)
  const navigate = useNavigate()
  const [isAsked, ask] = useState(false)
  const { title } = method
  return (
    <>
      <Button look="danger" onClick={() => ask(true)}>
        {t('shipping.delete')}
      </Button>
      {isAsked && (
        <Confirm
          title={t('shipping.delete_title', { title })}
          text={t('shipping.delete_text')}
          action={t('shipping.delete')}
          isDanger
          problem={remove.isError ? problemText(remove.error) : undefined}
          isBusy={remove.isPending}
          confirm={() =>
            remove.mutate(undefined, {
              onSuccess: () => {
                toast(t('shipping.deleted', { title }))
                void navigate({ to: '/settings/shipping', ignoreBlocker: true })
              },
            })
          }
          close={() => ask(false)}
        />
      )}
    </>
  )
}

import { LicetError } from '@licet/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePriceModels } from '../products/price-models.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Refusal } from '../ui/forms/changed.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Problem } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { centsIn } from '../words/format.ts'
import { t } from '../words/words.ts'
import { changesIn, draftOf, inputOf, isReadable, NEW_PLAN, type PlanDraft } from './draft.ts'
import { PlanFields } from './fields.tsx'
import { type Plan, planQuery, useCreatePlan, useSavePlan } from './queries.ts'

/** The price of a draft. An amount that no price has yet makes one. */
function usePriceOf() {
  const models = usePriceModels()
  return async ({ price, amount }: PlanDraft) => price ?? (await models.idOf(centsIn(amount) ?? 0)) ?? 0
}

/** Makes a plan of a group. */
export function NewPlan({ group, close }: { group: string; close: () => void }) {
  const create = useCreatePlan()
  const store = async (draft: PlanDraft, price: number) => {
    await create.mutateAsync(inputOf(group, price, draft))
    toast(t('plans.created', { title: draft.title.trim() }))
  }
  return <PlanForm title={t('plans.new')} action={t('plans.create')} initial={NEW_PLAN} store={store} close={close} />
}

/** Changes a plan as it is now, and not as the list has shown it. */
export function ChangePlan({ id, close }: { id: number; close: () => void }) {
  const read = useQuery({ ...planQuery(id), gcTime: 0, refetchOnWindowFocus: false })
  const [version, setVersion] = useState(0)
  const renew = () => void read.refetch().then(() => setVersion((now) => now + 1))
  if (read.data !== undefined) return <Changed key={version} read={read.data} renew={renew} close={close} />
  return (
    <Dialog title={t('plans.change')} close={close}>
      {read.isError ? <Problem error={read.error} retry={renew} /> : <WaitingRows count={3} />}
    </Dialog>
  )
}

type ChangedProps = { read: { plan: Plan; etag: string }; renew: () => void; close: () => void }

function Changed({ read, renew, close }: ChangedProps) {
  // What was typed is a change of this version, whatever is read meanwhile.
  const [{ plan, etag }] = useState(read)
  const save = useSavePlan(plan.id)
  const store = async (draft: PlanDraft, price: number, version = etag) => {
    await save.mutateAsync({ changes: changesIn(plan, price, draft), etag: version })
    toast(t('plans.saved', { title: draft.title.trim() }))
  }
  return (
    <PlanForm
      title={t('plans.change_title', { title: plan.title })}
      action={t('plans.save')}
      initial={draftOf(plan)}
      isAgreed
      store={store}
      renew={renew}
      close={close}
    />
  )
}

type PlanFormProps = {
  title: string
  action: string
  initial: PlanDraft
  isAgreed?: boolean
  /** Saves it; a version of `*` overwrites whatever there is. */
  store: (draft: PlanDraft, price: number, version?: string) => Promise<void>
  /** Reads it once more. */
  renew?: () => void
  close: () => void
}

function PlanForm({ title, action, initial, isAgreed = false, store, renew = () => undefined, close }: PlanFormProps) {
  const [draft, setDraft] = useState(initial)
  const [isTried, setTried] = useState(false)
  const priceOf = usePriceOf()
  const save = useMutation({
    mutationFn: async (version: string | undefined) => store(draft, await priceOf(draft), version),
    onSuccess: close,
  })
  const errors = save.error instanceof LicetError ? save.error.errors : {}
  return (
    <Dialog title={title} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (isReadable(draft)) save.mutate(undefined)
        }}
      >
        <PlanFields
          draft={draft}
          set={(part) => setDraft((now) => ({ ...now, ...part }))}
          errorAt={(path) => errors[path]?.[0]}
          isTried={isTried}
          isAgreed={isAgreed}
        />
        {save.isError && Object.keys(errors).length === 0 && (
          <Refusal error={save.error} showTheirs={renew} saveMine={() => save.mutate('*')} />
        )}
        <div className="actions">
          <Button type="submit" look="primary" disabled={save.isPending}>
            {action}
          </Button>
          <Button look="plain" onClick={close}>
            {t('common.back')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

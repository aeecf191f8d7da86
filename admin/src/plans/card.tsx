import '../groups/groups.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pricesQuery } from '../products/queries.ts'
import { useMay, useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Help } from '../ui/help.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { ChangePlan, NewPlan } from './dialog.tsx'
import { type Plan, plansQuery, useDeletePlan, useSavePlan } from './queries.ts'
import { amountOf, costOf, termsOf } from './words.ts'

/** How a subscription group is sold. */
export function Plans({ group }: { group: string }) {
  const plans = useQuery(plansQuery(group))
  const mayChange = useMay('request_products')
  const [isNew, setNew] = useState(false)
  const [leaving, setLeaving] = useState<Plan>()
  return (
    <Card
      title={t('plans.list')}
      aside={<Help term="plan" />}
      end={
        mayChange && (
          <Button icon="plus" onClick={() => setNew(true)}>
            {t('plans.new')}
          </Button>
        )
      }
    >
      {plans.isError ? (
        <Problem error={plans.error} retry={() => void plans.refetch()} />
      ) : plans.data === undefined ? (
        <WaitingRows count={2} />
      ) : plans.data.length === 0 ? (
        <p className="card-body muted">{t('plans.none')}</p>
      ) : (
        <ul className="rows tall">
          {plans.data.map((plan) => (
            <PlanRow key={plan.id} plan={plan} mayChange={mayChange} askDelete={() => setLeaving(plan)} />
          ))}
        </ul>
      )}
      {isNew && <NewPlan group={group} close={() => setNew(false)} />}
      {leaving !== undefined && <DeletePlan plan={leaving} close={() => setLeaving(undefined)} />}
    </Card>
  )
}

type RowProps = { plan: Plan; askDelete: () => void }

function PlanRow({ plan, mayChange, askDelete }: RowProps & { mayChange: boolean }) {
  const { currency } = useSession()
  const price = useQuery(pricesQuery).data?.get(plan.price_id)
  const terms = termsOf(plan)
  return (
    <li>
      <span className="grow">
        <span className="plan-name">
          <span className="strong">{plan.title}</span>
          <Chip tone={plan.valid ? 'ok' : 'draft'}>{t(plan.valid ? 'plans.open' : 'plans.stopped_chip')}</Chip>
        </span>
        <span className="block">{costOf(plan, amountOf(price, currency))}</span>
        {terms !== '' && <span className="block muted small">{terms}</span>}
      </span>
      {mayChange && <Actions plan={plan} askDelete={askDelete} />}
    </li>
  )
}

/** What can be done with a plan. Opening it again needs no question. */
function Actions({ plan, askDelete }: RowProps) {
  const { id, title, valid } = plan
  const [asked, ask] = useState<'change' | 'stop'>()
  const save = useSavePlan(id)
  const close = () => {
    ask(undefined)
    save.reset()
  }
  const store = (isOpen: boolean, text: string, onError?: (error: Error) => void) =>
    save.mutate(
      { changes: { valid: isOpen } },
      {
        onSuccess: () => {
          toast(text)
          close()
        },
        ...(onError && { onError }),
      },
    )
  const openAgain = () => store(true, t('plans.opened', { title }), (error) => toast(problemText(error)))
  return (
    <span className="row-actions">
      <Button aria-label={t('plans.change_of', { title })} onClick={() => ask('change')}>
        {t('plans.change')}
      </Button>
      {valid ? (
        <Button aria-label={t('plans.stop_of', { title })} onClick={() => ask('stop')}>
          {t('plans.stop')}
        </Button>
      ) : (
        <Button aria-label={t('plans.open_of', { title })} disabled={save.isPending} onClick={openAgain}>
          {t('plans.open_again')}
        </Button>
      )}
      <Button look="danger" aria-label={t('plans.delete_of', { title })} onClick={askDelete}>
        {t('plans.delete')}
      </Button>
      {asked === 'change' && <ChangePlan id={id} close={close} />}
      {asked === 'stop' && (
        <Confirm
          title={t('plans.stop_title', { title })}
          text={t('plans.stop_text')}
          action={t('plans.stop')}
          isDanger
          problem={save.error === null ? undefined : problemText(save.error)}
          isBusy={save.isPending}
          confirm={() => store(false, t('plans.stopped', { title }))}
          close={close}
        />
      )}
    </span>
  )
}

/** Stands beside the rows, because the row of a deleted plan is gone before it could say so. */
function DeletePlan({ plan: { id, title }, close }: { plan: Plan; close: () => void }) {
  const remove = useDeletePlan(id)
  return (
    <Confirm
      title={t('plans.delete_title', { title })}
      text={t('plans.delete_text')}
      action={t('plans.delete')}
      isDanger
      problem={remove.error === null ? undefined : problemText(remove.error)}
      isBusy={remove.isPending}
      confirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            toast(t('plans.deleted', { title }))
            close()
          },
        })
      }
      close={close}
    />
  )
}

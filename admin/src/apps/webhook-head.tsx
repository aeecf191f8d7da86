import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { DayField } from '../ui/forms/fields.tsx'
import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { useChangeWebhook, useDeleteWebhook, useReplay, useTestWebhook, type Webhook } from './queries.ts'
import { troubleOf } from './words.ts'

/** What can be done with a webhook, and what is wrong with it. */
export function WebhookHead({ webhook }: { webhook: Webhook }) {
  const [asked, ask] = useState<'delete' | 'replay'>()
  const change = useChangeWebhook(webhook.id)
  const test = useTestWebhook(webhook.id)
  const trouble = troubleOf(webhook)
  const failure = change.error ?? test.error
  const close = () => ask(undefined)
  return (
    <section className="webhook-bar" aria-label={t('webhooks.one')}>
      {trouble !== undefined && (
        <p className={webhook.inactive_reason === 'paused' ? 'notice wait' : 'notice bad'}>
          <span className="grow">{trouble}</span>
        </p>
      )}
      <div className="actions">
        <span className="grow muted cut">{webhook.address}</span>
        <Button
          disabled={test.isPending}
          onClick={() => test.mutate(undefined, { onSuccess: () => toast(t('webhooks.tested')) })}
        >
          {t('webhooks.test')}
        </Button>
        <Button onClick={() => ask('replay')}>{t('webhooks.replay')}</Button>
        <Button
          icon={webhook.is_active ? 'pause' : 'play'}
          disabled={change.isPending}
          onClick={() => change.mutate({ is_active: !webhook.is_active })}
        >
          {t(webhook.is_active ? 'webhooks.pause' : 'webhooks.activate')}
        </Button>
        <Button look="danger" onClick={() => ask('delete')}>
          {t('webhooks.delete')}
        </Button>
      </div>
      {failure !== null && (
        <p className="notice bad" role="alert">
          {problemText(failure)}
        </p>
      )}
      {asked === 'delete' && <Deletion webhook={webhook} close={close} />}
      {asked === 'replay' && <Replay webhook={webhook} close={close} />}
    </section>
  )
}

function Deletion({ webhook, close }: { webhook: Webhook; close: () => void }) {
  const remove = useDeleteWebhook(webhook.id)
  const navigate = useNavigate()
  return (
    <Confirm
      title={t('webhooks.delete_title')}
      text={t('webhooks.delete_text', { address: webhook.address })}
      action={t('webhooks.delete')}
      isDanger
      problem={remove.isError ? problemText(remove.error) : undefined}
      isBusy={remove.isPending}
      confirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            toast(t('webhooks.deleted'))
            close()
            void navigate({ to: '/apps/webhooks', search: {} })
          },
        })
      }
      close={close}
    />
  )
}

/** All that were given up, or all since a day, whatever became of them. */
function Replay({ webhook, close }: { webhook: Webhook; close: () => void }) {
  const replay = useReplay(webhook.id)
  const [day, setDay] = useState('')
  return (
    <Confirm
      title={t('webhooks.replay')}
      text={t('webhooks.replay_text')}
      action={t(day === '' ? 'webhooks.replay_failed' : 'webhooks.replay_since')}
      problem={replay.isError ? problemText(replay.error) : undefined}
      isBusy={replay.isPending}
      confirm={() =>
        replay.mutate(
          day === '' ? { state: 'failed' } : { from: new Date(`${day}T00:00:00`).toISOString().slice(0, 19) },
          {
            onSuccess: (replayed) => {
              toast(t('webhooks.replayed', { count: replayed }))
              close()
            },
          },
        )
      }
      close={close}
    >
      <DayField label={t('webhooks.since')} value={day} onValue={setDay} />
    </Confirm>
  )
}

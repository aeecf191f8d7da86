import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { problemText } from '../ui/problem.tsx'
import { Segments } from '../ui/segments.tsx'
import { toast } from '../ui/toasts.tsx'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { Code } from './code.tsx'
import { type Delivery, useReplayDelivery, type Webhook } from './queries.ts'
import { answerOf } from './words.ts'

const TABS = ['payload', 'answer'] as const

/** A delivery: why it failed, every attempt, what was sent and what came back. */
export function DeliveryDetails({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const replay = useReplayDelivery(webhook.id)
  const [tab, setTab] = useState<(typeof TABS)[number]>('payload')
  const last = delivery.attempts.at(-1)
  const text =
    tab === 'payload'
      ? JSON.stringify({ topic: delivery.topic, data: delivery.data }, null, 2)
      : (last?.response ?? '') || t('webhooks.empty_answer')
  return (
    <div className="delivery-details">
      {last?.reason != null && (
        <p className="notice bad">
          <span className="grow">{last.reason}</span>
        </p>
      )}
      <div className="actions">
        <Button
          icon="undo"
          disabled={replay.isPending}
          onClick={() => replay.mutate(delivery.id, { onSuccess: () => toast(t('webhooks.replayed', { count: 1 })) })}
        >
          {t('webhooks.replay_one')}
        </Button>
        <span className="hint">{t('webhooks.same_id')}</span>
      </div>
      {replay.isError && (
        <p className="notice bad" role="alert">
          {problemText(replay.error)}
        </p>
      )}
      <div className="delivery-columns">
        <div>
          <h3>{t('webhooks.attempts_title')}</h3>
          <ol className="attempts-list">
            {delivery.next_attempt_at !== null && (
              <li>
                <span className="grow">{t('webhooks.next')}</span>
                <time className="muted figure">{dayAndTime(delivery.next_attempt_at)}</time>
              </li>
            )}
            {delivery.attempts.toReversed().map((attempt) => (
              <li key={attempt.at}>
                <span className="grow">{answerOf(attempt)}</span>
                <time className="muted figure">{dayAndTime(attempt.at)}</time>
              </li>
            ))}
          </ol>
          <p className="muted small">{t('webhooks.message_id')}</p>
          <code>{delivery.message_id}</code> <CopyButton text={delivery.message_id} label={t('webhooks.copy_id')} />
        </div>
        <div>
          <div className="with-end">
            <Segments
              label={t('webhooks.what')}
              values={TABS.map((value) => ({ value, title: t(`webhooks.tabs.${value}`) }))}
              chosen={tab}
              choose={setTab}
            />
            <CopyButton text={text} label={t('webhooks.copy')} />
          </div>
          <Code label={t(`webhooks.tabs.${tab}`)} text={text} />
        </div>
      </div>
    </div>
  )
}

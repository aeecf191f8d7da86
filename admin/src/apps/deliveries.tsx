import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { PageFoot } from '../ui/lists/page-foot.tsx'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { Segments } from '../ui/segments.tsx'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { DeliveryDetails } from './delivery.tsx'
import { type Delivery, type DeliveryState, deliveriesQuery, type Webhook } from './queries.ts'
import type { WebhooksSearch } from './search.ts'
import { WebhookHead } from './webhook-head.tsx'
import { deliveryState, thingText, topicWords } from './words.ts'

const STATES = ['all', 'pending', 'delivered', 'failed'] as const

/** What was sent to a webhook, newest first. A row opens to its attempts. */
export function Deliveries({ webhook, search }: { webhook: Webhook; search: WebhooksSearch }) {
  const { state, webhook: _webhook, ...span } = search
  const navigate = useNavigate({ from: '/apps/webhooks' })
  const page = useQuery(deliveriesQuery(webhook.id, state, span))
  const [open, setOpen] = useState<number>()
  const go = (next: WebhooksSearch) => void navigate({ search: { webhook: webhook.id, ...next }, resetScroll: false })
  const filter = state === undefined ? {} : { state }
  const rows = page.data?.rows
  return (
    <>
      <WebhookHead webhook={webhook} />
      <Card
        title={t('webhooks.deliveries')}
        aside={t('webhooks.kept')}
        end={
          <Segments
            label={t('webhooks.which')}
            values={STATES.map((value) => ({ value, title: t(`webhooks.states.${value}`) }))}
            chosen={state ?? 'all'}
            choose={(value) => go(value === 'all' ? {} : { state: value as DeliveryState })}
          />
        }
      >
        {page.isError ? (
          <Problem error={page.error} retry={() => void page.refetch()} />
        ) : rows === undefined ? (
          <WaitingRows count={4} />
        ) : rows.length === 0 ? (
          <p className="card-body muted">{t('webhooks.no_deliveries')}</p>
        ) : (
          <ul className="deliveries">
            {rows.map((delivery) => (
              <Row
                key={delivery.id}
                webhook={webhook}
                delivery={delivery}
                isOpen={open === delivery.id}
                toggle={() => setOpen(open === delivery.id ? undefined : delivery.id)}
              />
            ))}
          </ul>
        )}
        <PageFoot page={page.data} turnTo={(span) => go({ ...filter, ...span })} />
      </Card>
    </>
  )
}

type RowProps = { webhook: Webhook; delivery: Delivery; isOpen: boolean; toggle: () => void }

function Row({ webhook, delivery, isOpen, toggle }: RowProps) {
  const { tone, text } = deliveryState(delivery)
  return (
    <li>
      <button type="button" className="delivery" aria-expanded={isOpen} onClick={toggle}>
        <time className="muted figure">{dayAndTime(delivery.created_at)}</time>
        <span className="grow cut">
          {topicWords(delivery.topic)} <span className="muted">{thingText(delivery.data)}</span>
        </span>
        <span className="muted figure attempts">{t('webhooks.attempts', { count: delivery.attempts.length })}</span>
        <Chip tone={tone}>{text}</Chip>
      </button>
      {isOpen && <DeliveryDetails webhook={webhook} delivery={delivery} />}
    </li>
  )
}

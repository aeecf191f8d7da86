import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { Measures } from '#platform/log/measures.ts'

type Counted = {
  working: number
  failing: number
  deactivated: number
  queued: number
  sending: number
  oldest: number
}
const NONE: Counted = { working: 0, failing: 0, deactivated: 0, queued: 0, sending: 0, oldest: 0 }

const count = prepare((db: Db, now: Date) =>
  sql<Counted>`select
      count(*) filter (where is_active and failures = 0) as working,
      count(*) filter (where is_active and failures > 0) as failing,
      count(*) filter (where not is_active and inactive_reason in ('failing', 'gone')) as deactivated,
      coalesce(sum(queued) filter (where is_active), 0) as queued,
      count(*) filter (where leased_until > ${now}::timestamptz) as sending,
      coalesce(extract(epoch from ${now}::timestamptz - min(due_at) filter (where is_active and failures = 0 and due_at <= ${now}::timestamptz)), 0)::float8
        as oldest
    from webhooks`.compile(db),
)

export const webhookMeasures: Measures = {
  gauges: {
    licet_webhooks: {
      help: 'Webhooks that work, that fail, and that were deactivated because they failed.',
      labels: ['state'],
    },
    licet_webhooks_sending: { help: 'Webhooks to which the workers of all processes are sending.' },
    licet_webhook_deliveries_waiting: { help: 'Deliveries that are still to be sent to active webhooks.' },
    licet_webhooks_oldest_due_seconds: { help: 'How long a webhook that works has been waiting to be sent to.' },
  },
  async read(db, now) {
    const [{ working, failing, deactivated, queued, sending, oldest } = NONE] = await count(db, now)
    return [
      { name: 'licet_webhooks', labels: { state: 'working' }, value: working },
      { name: 'licet_webhooks', labels: { state: 'failing' }, value: failing },
      { name: 'licet_webhooks', labels: { state: 'deactivated' }, value: deactivated },
      { name: 'licet_webhooks_sending', value: sending },
      { name: 'licet_webhook_deliveries_waiting', value: queued },
      { name: 'licet_webhooks_oldest_due_seconds', value: oldest },
    ]
  },
}

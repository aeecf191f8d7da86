import { sql } from 'kysely'
import { readNumbers } from '#platform/db/numbers.ts'
import type { Measures } from '#platform/log/measures.ts'

const counted = (now: Date) => sql`select
      count(*) filter (where is_active and failures = 0) as working,
      count(*) filter (where is_active and failures > 0) as failing,
      count(*) filter (where not is_active and inactive_reason in ('failing', 'gone')) as deactivated,
      coalesce(sum(queued) filter (where is_active), 0) as queued,
      count(*) filter (where leased_until > ${now}::timestamptz) as sending,
      coalesce(date_part('epoch', ${now}::timestamptz - min(due_at) filter (where is_active and failures = 0 and due_at <= ${now}::timestamptz)), 0)::float8
        as oldest
    from webhooks`

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
    const [row] = await readNumbers(db, counted(now))
    const of = (name: string) => row?.number(name) ?? 0
    return [
      { name: 'licet_webhooks', labels: { state: 'working' }, value: of('working') },
      { name: 'licet_webhooks', labels: { state: 'failing' }, value: of('failing') },
      { name: 'licet_webhooks', labels: { state: 'deactivated' }, value: of('deactivated') },
      { name: 'licet_webhooks_sending', value: of('sending') },
      { name: 'licet_webhook_deliveries_waiting', value: of('queued') },
      { name: 'licet_webhooks_oldest_due_seconds', value: of('oldest') },
    ]
  },
}

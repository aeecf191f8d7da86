import { useQuery } from '@tanstack/react-query'
import { Card } from '../ui/page.tsx'
import { shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Customer, refusalsQuery } from './queries.ts'

const SHOWN = 5

/** What the customer tried lately and was refused, in a sentence each. */
export function Refusals({ customer }: { customer: Customer }) {
  const refusals = useQuery(refusalsQuery(customer.token)).data?.rows.slice(0, SHOWN) ?? []
  if (refusals.length === 0) return null
  return (
    <Card title={t('refusals.title')}>
      <ol className="timeline">
        {refusals.map(({ id, title, action, code, device, created_at }) => (
          <li key={id} className="bad">
            <span className="grow">
              {t(`refusals.tried.${action}`, { title })}
              <span className="muted small block">
                {t(`refusals.codes.${code}` as 'refusals.codes.expired')}
                {device !== null && ` ${t('refusals.device', { device })}`}
              </span>
            </span>
            <time>{shortTime(created_at)}</time>
          </li>
        ))}
      </ol>
    </Card>
  )
}

import { useQuery } from '@tanstack/react-query'
import { RightChip } from '../customers/right.tsx'
import { usedOf } from '../customers/words.ts'
import { Card } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import { type Order, rightsQuery } from './queries.ts'
import { buyerOf } from './words.ts'

/** What the customer got, in the words of the license, and what was used of it. */
export function Got({ order }: { order: Order }) {
  const rights = useQuery(rightsQuery(order.id))
  if (rights.data === undefined || rights.data.length === 0) return null
  return (
    <Card title={t('orders.rights', { buyer: buyerOf(order) })}>
      <ul className="rows">
        {rights.data.map((right) => (
          <li key={right.id}>
            <span className="grow">
              <span className="strong">{right.title}</span>
              <span className="muted small block">{right.reason ?? right.terms}</span>
              <span className="muted small block">{usedOf(right)}</span>
            </span>
            <RightChip right={right} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

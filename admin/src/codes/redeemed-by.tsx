import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { customerQuery } from '../customers/queries.ts'
import { nameOf } from '../customers/words.ts'
import { PageFoot } from '../ui/lists/page-foot.tsx'
import type { Span } from '../ui/lists/pages.ts'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Code, redemptionsQuery } from './queries.ts'
import { usesOf } from './words.ts'

/** The customers who redeemed a code, newest first, page by page. */
export function RedeemedBy({ code }: { code: Code }) {
  const [span, setSpan] = useState<Span>({})
  const redemptions = useQuery(redemptionsQuery(code.id, span))
  const { data } = redemptions
  return (
    <Card title={t('codes.redeemed_by')} aside={usesOf(code)}>
      {redemptions.isError ? (
        <Problem error={redemptions.error} retry={() => void redemptions.refetch()} />
      ) : data === undefined ? (
        <WaitingRows count={2} />
      ) : data.rows.length === 0 ? (
        <p className="card-body muted">{t('codes.nobody')}</p>
      ) : (
        <ul className="rows">
          {data.rows.map(({ id, customer_token, created_at }) => (
            <li key={id}>
              <span className="grow">
                <Redeemer token={customer_token} />
              </span>
              <time className="muted small">{shortTime(created_at)}</time>
            </li>
          ))}
        </ul>
      )}
      <PageFoot page={data} turnTo={setSpan} />
    </Card>
  )
}

function Redeemer({ token }: { token: string }) {
  const customer = useQuery(customerQuery(token)).data
  return (
    <Link className="strong" to="/customers/$token" params={{ token }}>
      {customer === undefined ? t('codes.open_customer', { token }) : nameOf(customer)}
    </Link>
  )
}

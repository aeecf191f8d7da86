import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Picture, usePictures } from '../products/pictures.tsx'
import { useMay } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { PageFoot } from '../ui/lists/page-foot.tsx'
import type { Span } from '../ui/lists/pages.ts'
import { Card } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { AppLicenses } from './app-licenses.tsx'
import { Explanation } from './explanation.tsx'
import { Extend } from './extend.tsx'
import { type Customer, ownedQuery, useRestore, useRevoke } from './queries.ts'
import { type Right, RightChip } from './right.tsx'
import { usedOf } from './words.ts'

/** What a customer owns, how it stands, and why something is refused. */
export function Owned({ customer }: { customer: Customer }) {
  const [span, setSpan] = useState<Span>({})
  const owned = useQuery(ownedQuery(customer.token, span))
  const rows = owned.data?.rows ?? []
  const pictures = usePictures(rows.map(({ product_id }) => product_id))
  const [explained, setExplained] = useState<number>()
  const [extended, setExtended] = useState<Right>()
  const mayUnlock = useMay('unlock')
  if (owned.isError) return <Problem error={owned.error} retry={() => void owned.refetch()} />
  return (
    <Card title={t('customers.owns')}>
      {rows.length === 0 && <p className="card-body muted">{owned.isPending ? '' : t('customers.owns_nothing')}</p>}
      <ul className="rows">
        {rows.map((right) => (
          <li key={right.id} className="right">
            <Picture src={pictures.get(right.product_id)} />
            <span className="grow">
              <span className="strong">{right.title}</span>
              <br />
              <span className="muted small">{right.reason ?? right.terms}</span>
              <span className="muted small block">{usedOf(right)}</span>
            </span>
            <RightChip right={right} />
            <Button
              look="plain"
              aria-expanded={explained === right.id}
              onClick={() => setExplained(explained === right.id ? undefined : right.id)}
            >
              {t('rights.why')}
            </Button>
            {mayUnlock && right.state !== 'revoked' && (
              <Button look="plain" onClick={() => setExtended(right)}>
                {t('extend.open')}
              </Button>
            )}
            {mayUnlock && <RightAction customer={customer} right={right} />}
            {explained === right.id && <Explanation customer={customer} right={right} />}
            {explained === right.id && <AppLicenses customer={customer} right={right} />}
          </li>
        ))}
      </ul>
      <PageFoot page={owned.data} turnTo={setSpan} />
      {extended !== undefined && <Extend customer={customer} right={extended} close={() => setExtended(undefined)} />}
    </Card>
  )
}

function RightAction({ customer, right }: { customer: Customer; right: Right }) {
  const [isAsked, setIsAsked] = useState(false)
  const revoke = useRevoke(customer.token)
  const restore = useRestore(customer.token)
  const isRevoked = right.state === 'revoked'
  const change = isRevoked ? restore : revoke
  const { title } = right
  return (
    <>
      <Button look={isRevoked ? 'plain' : 'danger'} onClick={() => setIsAsked(true)}>
        {isRevoked ? t('rights.restore') : t('rights.revoke')}
      </Button>
      {isAsked && (
        <Confirm
          title={isRevoked ? t('rights.restore_title', { title }) : t('rights.revoke_title', { title })}
          text={isRevoked ? t('rights.restore_text') : t('rights.revoke_text')}
          action={isRevoked ? t('rights.restore') : t('rights.revoke')}
          isDanger={!isRevoked}
          problem={change.isError ? problemText(change.error) : undefined}
          isBusy={change.isPending}
          confirm={() =>
            change.mutate(right.id, {
              onSuccess: () => {
                setIsAsked(false)
                toast(isRevoked ? t('rights.restored', { title }) : t('rights.revoked', { title }))
              },
            })
          }
          close={() => setIsAsked(false)}
        />
      )}
    </>
  )
}

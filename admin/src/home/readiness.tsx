import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useMay, useSession } from '../session/session.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import { Card } from '../ui/page.tsx'
import { list } from '../words/format.ts'
import { t } from '../words/words.ts'
import { readinessQuery, type Step } from './queries.ts'

/** Which browser has put the finished list away, by company. It comes back if a step is undone. */
const putAwayKey = (companyId: number) => `licet.ready.${companyId}`

/** What is left to do before the first sale. It folds when all is done, and can then be put away. */
export function Readiness() {
  const { company } = useSession()
  const [isPutAway, setPutAway] = useState(() => localStorage.getItem(putAwayKey(company.id)) === 'yes')
  const { data } = useQuery(readinessQuery)
  // The page does not wait for it: most shops have dismissed the checklist.
  if (data === undefined) return null
  const { steps, done, total } = data
  const isReady = done === total
  if (isReady && isPutAway) return null
  const putAway = () => {
    localStorage.setItem(putAwayKey(company.id), 'yes')
    setPutAway(true)
  }
  const open = steps.filter((step) => !step.done)
  const next = open.find(({ key }) => key === 'product' || key === 'payments')
  return (
    <Card
      title={isReady ? t('home.ready.is_ready') : t('home.ready.title')}
      aside={t('home.ready.done', { done, total })}
      end={
        isReady ? (
          <Button look="plain" icon="close" onClick={putAway}>
            {t('home.ready.put_away')}
          </Button>
        ) : (
          <progress className="ready-bar" max={total} value={done} aria-label={t('home.ready.progress')} />
        )
      }
    >
      {open.length > 0 && (
        <ul className="rows">
          {open.map((step) => (
            <li key={step.key} className="ready-step">
              <span className="tick" aria-hidden="true" />
              <span className="grow">
                <span className="strong">{t(`home.ready.todo.${step.key}`)}</span>
                <br />
                <span className="muted">{textOf(step)}</span>
                {step.record !== undefined && (
                  <code className="dns">
                    {step.record.name} {step.record.type} {step.record.value}
                  </code>
                )}
              </span>
              <Way step={step} isNext={step === next} />
            </li>
          ))}
        </ul>
      )}
      {done > 0 && <Done steps={steps.filter((step) => step.done)} />}
    </Card>
  )
}

const missingIn = ({ missing }: Step) => list(missing.map((what) => t(`home.ready.missing.${what}`)))

/** What a step is good for, or what it still lacks. */
function textOf(step: Step): string {
  const { key, missing, subject } = step
  switch (key) {
    case 'company':
      return t('home.ready.text.company', { missing: missingIn(step) })
    case 'legal_texts':
      return t('home.ready.text.legal_texts', { missing: missingIn(step) })
    case 'product':
      return subject === null
        ? t('home.ready.text.product')
        : t('home.ready.text.product_lacks', { title: subject, missing: missingIn(step) })
    case 'payments':
      return t(missing.includes('payment_method') ? 'home.ready.text.payments' : 'home.ready.text.payments_live')
    case 'domain':
      return subject === null ? t('home.ready.text.domain') : t('home.ready.text.domain_proof', { domain: subject })
    default:
      return t(`home.ready.text.${key}`)
  }
}

/** The way to the place where a step is done. What has no screen is done through the API. */
function Way({ step, isNext }: { step: Step; isNext: boolean }): ReactNode {
  const mayManage = useMay('create_users')
  const mayProducts = useMay('request_products')
  const look = isNext ? { look: 'primary' as const } : {}
  const { key, subject_id } = step
  switch (key) {
    case 'payments':
      return (
        <ButtonLink {...look} to="/settings/payments">
          {t('home.ready.go.payments')}
        </ButtonLink>
      )
    case 'product':
      return subject_id === null ? (
        <ButtonLink {...look} to="/products/new">
          {t('home.new_product')}
        </ButtonLink>
      ) : (
        <ButtonLink {...look} to="/products/$id" params={{ id: String(subject_id) }}>
          {t('home.ready.go.product')}
        </ButtonLink>
      )
    case 'legal_texts':
      return (
        <ButtonLink to="/shop" search={{ part: 'pages' }}>
          {t('home.ready.go.legal_texts')}
        </ButtonLink>
      )
    case 'domain':
      return (
        <ButtonLink to="/shop" search={{ part: 'domain' }}>
          {t(step.subject === null ? 'home.ready.go.domain' : 'home.ready.go.domain_proof')}
        </ButtonLink>
      )
    case 'order':
      return subject_id === null ? null : (
        <a className="button" href={`/shop/${subject_id}`}>
          {t('home.ready.go.order')}
        </a>
      )
    case 'company':
      return !mayManage ? null : (
        <ButtonLink to="/settings/company" search={{ field: step.missing[0] ?? 'company_name' }}>
          {t('home.ready.go.company')}
        </ButtonLink>
      )
    case 'shipping':
      return mayProducts ? <ButtonLink to="/settings/shipping">{t('home.ready.go.shipping')}</ButtonLink> : null
    case 'mails':
      return (
        <ButtonLink to="/help" hash="mails">
          {t('home.ready.go.mails')}
        </ButtonLink>
      )
    default:
      return (
        <a className="button" href="/docs">
          {t('menu.docs')}
        </a>
      )
  }
}

function Done({ steps }: { steps: readonly Step[] }) {
  const names = list(steps.map(({ key }) => t(`home.ready.steps.${key}`)))
  return (
    <details className="ready-done">
      <summary>
        <span className="tick done" aria-hidden="true">
          <Icon name="check" size={12} />
        </span>
        <span className="grow">{t('home.ready.done_list', { count: steps.length, names })}</span>
        <Icon name="next" className="chevron" />
      </summary>
      <ul>
        {steps.map(({ key, subject }) => (
          <li key={key}>
            <span className="tick done" aria-hidden="true">
              <Icon name="check" size={12} />
            </span>
            <span className="grow">{t(`home.ready.steps.${key}`)}</span>
            {subject !== null && <span className="muted">{subject}</span>}
          </li>
        ))}
      </ul>
    </details>
  )
}

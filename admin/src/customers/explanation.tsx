import type { Schemas } from '@licet/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { partsOf } from '../products/types.ts'
import { SelectField } from '../ui/forms/fields.tsx'
import { Problem } from '../ui/problem.tsx'
import { t } from '../words/words.ts'
import { type Action, type Customer, devicesQuery, explanationQuery } from './queries.ts'
import type { Right } from './right.tsx'

/** A device that the customer has not used yet. */
const NEW_DEVICE = 'admin'

/** What customers do with a thing first: a film is watched, a program downloaded. */
const firstAction = ({ product_type }: Right): Action =>
  partsOf(product_type).use === 'download' ? 'download' : 'play'

/** The engine's own explanation, rule by rule: of what is done with such a thing, on a device that the customer has. */
export function Explanation({ customer, right }: { customer: Customer; right: Right }) {
  const devices = useQuery(devicesQuery(customer.token)).data?.rows
  const [action, setAction] = useState<Action>(() => firstAction(right))
  const [chosen, setDevice] = useState<string>()
  const device = chosen ?? devices?.[0]?.device_id ?? NEW_DEVICE
  const explanation = useQuery({ ...explanationQuery(right.id, action, device), enabled: devices !== undefined })
  if (explanation.isError) return <Problem error={explanation.error} retry={() => void explanation.refetch()} />
  return (
    <div className="explanation stack">
      <div className="pair">
        <SelectField
          label={t('rights.asked')}
          value={action}
          onValue={setAction}
          options={ACTIONS.map((value) => ({ value, title: titleOf(value, right) }))}
        />
        <SelectField
          label={t('rights.device')}
          value={device}
          onValue={setDevice}
          options={[
            ...(devices ?? []).map(({ device_id, name }) => ({ value: device_id, title: name || device_id })),
            { value: NEW_DEVICE, title: t('rights.new_device') },
          ]}
        />
      </div>
      {explanation.data === undefined ? <span className="skeleton" /> : <Answer explanation={explanation.data} />}
    </div>
  )
}

const ACTIONS = ['play', 'download', 'print', 'export', 'burn'] as const

/** The word for using a thing: a book is read. */
function titleOf(action: Action, { product_type }: Right): string {
  const { use } = partsOf(product_type)
  if (action !== 'play') return t(`rights.actions.${action}`)
  return t(use === 'listen' || use === 'read' || use === 'watch' ? `rights.actions.${use}` : 'rights.actions.open')
}

function Answer({ explanation: { decision, rules } }: { explanation: Schemas['Explanation'] }) {
  const sentence = decision.allowed ? t('rights.allowed') : (decision.reason ?? t('rights.refused'))
  return (
    <div>
      <p className="strong">{sentence}</p>
      <ul>
        {rules.map(({ rule, verdict, reason }) => (
          <li key={rule} className={verdict}>
            <span>{t(`rights.rules.${rule}` as 'rights.rules.revoked')}</span>
            <span className="muted small">
              {verdict === 'passed' ? t('rights.passed') : (reason ?? t('rights.refused'))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

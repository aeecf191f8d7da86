import { PersonField } from '../customers/picker.tsx'
import type { ErrorAt } from '../ui/forms/editing.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Card } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import { needsAddress, type OrderDraft } from './new-draft.ts'

type BuyerProps = { draft: OrderDraft; set: (part: Partial<OrderDraft>) => void; errorAt: ErrorAt }

const PLACE = ['address1', 'zip', 'city', 'country'] as const

/** Who gets the order: a customer, or somebody new with an email address. */
export function BuyerFields({ draft, set, errorAt }: BuyerProps) {
  const { customer, email } = draft
  return (
    <Card title={t('orders.customer')}>
      <div className="card-body stack">
        <PersonField
          person={draft}
          set={set}
          about={t('new_order.new_customer')}
          error={errorAt('customer.email') ?? errorAt('customer') ?? errorAt('customer_token')}
        />
        {customer === undefined && email !== '' && (
          <div className="pair">
            <TextField
              label={t('new_order.first_name')}
              value={draft.first_name}
              onValue={(first_name) => set({ first_name })}
              maxLength={100}
              error={errorAt('customer.first_name')}
            />
            <TextField
              label={t('new_order.last_name')}
              value={draft.last_name}
              onValue={(last_name) => set({ last_name })}
              maxLength={100}
              error={errorAt('customer.last_name')}
            />
          </div>
        )}
        {needsAddress(draft) && (
          <div className="pair">
            {PLACE.map((part) => (
              <TextField
                key={part}
                label={t(`new_order.${part}`)}
                value={draft[part]}
                onValue={(text) => set({ [part]: text })}
                maxLength={100}
                error={
                  errorAt(`customer.addresses[0].${part}`) ??
                  (part === 'address1' ? errorAt('shipping_address') : undefined)
                }
              />
            ))}
          </div>
        )}
        {!needsAddress(draft) && errorAt('shipping_address') !== undefined && (
          <p className="hint wrong">{errorAt('shipping_address')}</p>
        )}
      </div>
    </Card>
  )
}

import type { ErrorAt } from '../../ui/forms/editing.tsx'
import { Check, Field } from '../../ui/forms/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { t } from '../../words/words.ts'
import type { Draft } from '../draft.ts'
import type { Product } from '../queries.ts'
import { StateChip } from '../state.tsx'

type VisibilityProps = {
  product: Product
  draft: Draft
  set: (part: Partial<Draft>) => void
  errorAt: ErrorAt
}

/** Whether people see the product, from when, and why they cannot buy it. */
export function Visibility({ product, draft, set, errorAt }: VisibilityProps) {
  return (
    <Card title={t('products.visibility')} end={<StateChip product={product} />}>
      <div className="card-body stack">
        <Check label={t('products.in_shop')} isOn={draft.published} onChange={(published) => set({ published })} />
        <fieldset className="stack" disabled={product.mirrored}>
          <Field label={t('products.released_at')} hint={t('products.released_hint')} error={errorAt('published_at')}>
            {(id, describedBy) => (
              <input
                id={id}
                className="input"
                type="datetime-local"
                value={draft.releasedAt}
                aria-describedby={describedBy}
                onChange={({ target }) => set({ releasedAt: target.value })}
              />
            )}
          </Field>
          <Check label={t('products.pre_sales')} isOn={draft.preSales} onChange={(preSales) => set({ preSales })} />
        </fieldset>
      </div>
    </Card>
  )
}

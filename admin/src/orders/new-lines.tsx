import { OfferSelect } from '../products/offer.tsx'
import { ProductPicker } from '../products/picker.tsx'
import { Picture } from '../products/pictures.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import type { DraftLine, OrderDraft } from './new-draft.ts'

type LinesProps = {
  draft: OrderDraft
  set: (part: Partial<OrderDraft>) => void
  errors: Readonly<Record<string, readonly string[]>>
}

const QUANTITY_MAX = 10_000

/** What is sold: products with an offer and a quantity. The service knows the prices. */
export function LineFields({ draft, set, errors }: LinesProps) {
  const { lines } = draft
  const change = (place: number, part: Partial<DraftLine>) =>
    set({ lines: lines.map((line, each) => (each === place ? { ...line, ...part } : line)) })
  const errorOf = (place: number) =>
    Object.entries(errors).find(([path]) => path.startsWith(`line_items[${place}]`))?.[1][0]
  return (
    <Card title={t('new_order.lines')}>
      <ul className="rows">
        {lines.map((line, place) => (
          <li key={line.key} className="wraps">
            <Picture src={line.product.preview_pictures[0]?.src} isLarge />
            <span className="grow">
              <span className="strong">{line.product.title}</span>
              {errorOf(place) !== undefined && <span className="hint wrong block">{errorOf(place)}</span>}
            </span>
            {line.product.price_license_binding.length > 1 && (
              <OfferSelect product={line.product} place={line.offer} choose={(offer) => change(place, { offer })} />
            )}
            <label className="field quantity-field">
              <span>{t('new_order.quantity')}</span>
              <input
                className="input amount quantity"
                type="number"
                min={1}
                max={QUANTITY_MAX}
                value={line.quantity}
                aria-label={t('new_order.quantity_of', { title: line.product.title })}
                onChange={({ target }) =>
                  change(place, {
                    quantity: Math.min(QUANTITY_MAX, Math.max(1, Math.trunc(target.valueAsNumber) || 1)),
                  })
                }
              />
            </label>
            <Button
              look="plain"
              icon="close"
              aria-label={t('new_order.remove', { title: line.product.title })}
              onClick={() => set({ lines: lines.filter((_, each) => each !== place) })}
            />
          </li>
        ))}
      </ul>
      <div className="card-body">
        <ProductPicker
          label={lines.length === 0 ? t('new_order.first_product') : t('new_order.another_product')}
          choose={(product) =>
            set({
              lines: [
                ...lines,
                { key: Math.max(0, ...lines.map(({ key }) => key)) + 1, product, offer: 0, quantity: 1 },
              ],
            })
          }
          error={errors.line_items?.[0]}
        />
      </div>
    </Card>
  )
}

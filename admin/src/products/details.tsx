import type { ErrorAt } from '../ui/editing.tsx'
import { Check, TextField } from '../ui/fields.tsx'
import { Card } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import type { Draft } from './draft.ts'
import { partsOf } from './types.ts'

type DetailsProps = {
  type: number
  draft: Draft
  set: (part: Partial<Draft>) => void
  errorAt: ErrorAt
}

const TAX_CLASSES = ['standard', 'reduced', 'e-book', 'zero'] as const satisfies readonly Draft['taxClass'][]

/** What a product of its type has beside texts, offers and files. */
export function Details({ type, draft, set, errorAt }: DetailsProps) {
  const { hasRuntime, hasStock } = partsOf(type)
  const names = {
    standard: t('products.tax_classes.standard'),
    reduced: t('products.tax_classes.reduced'),
    'e-book': t('products.tax_classes.e-book'),
    zero: t('products.tax_classes.zero'),
  }
  return (
    <Card title={t('products.details')}>
      <div className="card-body stack">
        {hasRuntime && (
          <TextField
            label={t('products.runtime')}
            value={draft.runtimeMinutes}
            onValue={(runtimeMinutes) => set({ runtimeMinutes: runtimeMinutes.replace(/\D/g, '') })}
            error={errorAt('runtime')}
            maxLength={5}
          />
        )}
        {hasStock && (
          <>
            <Check
              label={t('products.manages_stock')}
              isOn={draft.managesStock}
              onChange={(managesStock) => set({ managesStock })}
            />
            <TextField
              label={t('products.stock')}
              value={draft.stock}
              onValue={(stock) => set({ stock: stock.replace(/\D/g, '') })}
              error={errorAt('items_in_stock')}
              maxLength={9}
            />
          </>
        )}
        <TextField
          label={t('products.genres')}
          hint={t('products.genres_hint')}
          value={draft.genres}
          onValue={(genres) => set({ genres })}
          error={errorAt('tagging_genre')}
          maxLength={1000}
        />
        {hasRuntime && (
          <TextField
            label={t('products.directors')}
            hint={t('products.genres_hint')}
            value={draft.directors}
            onValue={(directors) => set({ directors })}
            error={errorAt('tagging_director')}
            maxLength={1000}
          />
        )}
        <TextField
          label={t('products.year')}
          value={draft.year}
          onValue={(year) => set({ year: year.replace(/\D/g, '') })}
          error={errorAt('tagging.year')}
          maxLength={4}
        />
        {hasStock && (
          <TextField
            label={t('products.gtin')}
            value={draft.gtin}
            onValue={(gtin) => set({ gtin })}
            error={errorAt('gtin')}
            maxLength={14}
          />
        )}
        <label className="field">
          <span>{t('products.tax_class')}</span>
          <select
            className="input"
            value={draft.taxClass}
            aria-invalid={errorAt('tax_class') !== undefined}
            onChange={({ target }) => {
              const taxClass = TAX_CLASSES.find((each) => each === target.value)
              if (taxClass !== undefined) set({ taxClass })
            }}
          >
            {TAX_CLASSES.map((each) => (
              <option key={each} value={each}>
                {names[each]}
              </option>
            ))}
          </select>
          {errorAt('tax_class') !== undefined && <span className="hint wrong">{errorAt('tax_class')}</span>}
        </label>
      </div>
    </Card>
  )
}

import '../products/products.css'
import { useQuery } from '@tanstack/react-query'
import { Shelves } from '../products/shelves.tsx'
import { shopsQuery } from '../shop/queries.ts'
import type { ErrorAt } from '../ui/forms/editing.tsx'
import { SelectField, TextField } from '../ui/forms/fields.tsx'
import { Segments } from '../ui/segments.tsx'
import { t } from '../words/words.ts'
import { CompaniesField } from './companies.tsx'
import { type OfferDraft, shareIn } from './draft.ts'
import { inPercent } from './words.ts'

type FieldsProps = { draft: OfferDraft; set: (part: Partial<OfferDraft>) => void; errorAt: ErrorAt; isTried: boolean }

/** On what terms a company offers its products, and which. */
export function OfferFields({ draft, set, errorAt, isTried }: FieldsProps) {
  const shops = useQuery(shopsQuery).data ?? []
  const share = shareIn(draft.share)
  const isEmpty = draft.categories?.length === 0 && isTried
  return (
    <>
      <TextField
        label={t('marketplace.share_label')}
        hint={
          share === undefined
            ? ''
            : t('marketplace.own_share', { owner: inPercent(share), seller: inPercent(100 - share) })
        }
        value={draft.share}
        onValue={(typed) => set({ share: typed })}
        error={share === undefined ? t('marketplace.share_wrong') : errorAt('cost_to_licensees_percent')}
        maxLength={6}
      />
      <Segments
        label={t('marketplace.which_products')}
        values={(['all', 'some'] as const).map((value) => ({ value, title: t(`marketplace.offers_of.${value}`) }))}
        chosen={draft.categories === null ? 'all' : 'some'}
        choose={(value) => set({ categories: value === 'all' ? null : [] })}
      />
      {draft.categories !== null && (
        <>
          <Shelves chosen={draft.categories} onChosen={(categories) => set({ categories })} />
          {isEmpty && (
            <p className="hint wrong" role="alert">
              {t('marketplace.no_category')}
            </p>
          )}
        </>
      )}
      <CompaniesField
        chosen={draft.companies}
        choose={(companies) => set({ companies })}
        errorAt={errorAt}
        isTried={isTried}
      />
      {shops.length > 1 && (
        <SelectField
          label={t('marketplace.shop')}
          hint={t('marketplace.shop_hint')}
          value={draft.shop === '' ? String(shops[0]?.id ?? '') : draft.shop}
          onValue={(shop) => set({ shop })}
          options={shops.map(({ id, name, domain }) => ({ value: String(id), title: name === '' ? domain : name }))}
          error={errorAt('theme_setting_id')}
        />
      )}
    </>
  )
}

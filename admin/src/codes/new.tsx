import { useState } from 'react'
import { lineOf, OfferSelect } from '../products/offer.tsx'
import { ProductPicker } from '../products/picker.tsx'
import type { Product } from '../products/queries.ts'
import { Button } from '../ui/button.tsx'
import { beginningOf } from '../ui/charts/days.ts'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { errorsOf, problemText } from '../ui/problem.tsx'
import { Segments } from '../ui/segments.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { isMembership, MembershipFields, membershipOf, NEW_MEMBERSHIP } from './membership-fields.tsx'
import { type Code, type NewCodes, useCreateCodes } from './queries.ts'

type Draft = { count: string; uses: string; expires: string; note: string }

const COUNT_MAX = 10_000
const isCount = (typed: string) => /^\d{1,5}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= COUNT_MAX
const isUses = (typed: string) => /^\d{1,7}$/.test(typed) && Number(typed) >= 1

/** What a product gives. One with several offers says which license the codes are under. */
function givenBy(product: Product, offer: number): Partial<NewCodes> {
  const { quantity: _quantity, ...offered } = lineOf(product, offer, 1)
  return offered
}

function inputOf(given: Partial<NewCodes>, { count, uses, expires, note }: Draft): NewCodes {
  return {
    ...given,
    count: Number(count),
    uses: Number(uses),
    expires_at: expires === '' ? null : beginningOf(expires, 1),
    note: note.trim(),
  }
}

/** Makes codes for a product or for a membership, and shows them as a sheet. */
export function NewCodesDialog({ close, print }: { close: () => void; print: (codes: readonly Code[]) => void }) {
  const [gives, setGives] = useState<'product' | 'membership'>('product')
  const [membership, setMembership] = useState(NEW_MEMBERSHIP)
  const [product, setProduct] = useState<Product>()
  const [offer, setOffer] = useState(0)
  const [draft, setDraft] = useState<Draft>({ count: '1', uses: '1', expires: '', note: '' })
  const create = useCreateCodes()
  const errors = errorsOf(create.error)
  const set = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }))
  const productError = errors.product_id?.[0] ?? errors.license_id?.[0]
  const given =
    gives === 'product'
      ? product && givenBy(product, offer)
      : isMembership(membership)
        ? membershipOf(membership)
        : undefined
  const store = () => {
    if (given === undefined || !isCount(draft.count) || !isUses(draft.uses)) return
    create.mutate(inputOf(given, draft), {
      onSuccess: (codes) => {
        toast(t('codes.created', { count: codes.length }))
        close()
        print(codes)
      },
    })
  }
  return (
    <Dialog title={t('codes.new')} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          store()
        }}
      >
        <Segments
          label={t('codes.gives')}
          values={(['product', 'membership'] as const).map((value) => ({ value, title: t(`codes.giving.${value}`) }))}
          chosen={gives}
          choose={setGives}
        />
        {gives === 'membership' ? (
          <MembershipFields
            draft={membership}
            set={(part) => setMembership((now) => ({ ...now, ...part }))}
            errorAt={(path) => errors[path]?.[0]}
          />
        ) : product === undefined ? (
          <ProductPicker label={t('codes.product')} choose={setProduct} error={productError} />
        ) : (
          <div className="with-end">
            <span className="grow strong">{product.title}</span>
            <Button
              look="plain"
              onClick={() => {
                setProduct(undefined)
                setOffer(0)
                create.reset()
              }}
            >
              {t('codes.other_product')}
            </Button>
          </div>
        )}
        {gives === 'product' && product !== undefined && productError !== undefined && (
          <p className="hint wrong">{productError}</p>
        )}
        {gives === 'product' && product !== undefined && product.price_license_binding.length > 1 && (
          <OfferSelect product={product} place={offer} choose={setOffer} />
        )}
        <div className="pair">
          <TextField
            label={t('codes.count')}
            value={draft.count}
            onValue={(count) => set({ count })}
            error={isCount(draft.count) ? errors.count?.[0] : t('codes.count_wrong')}
            inputMode="numeric"
            maxLength={5}
          />
          <TextField
            label={t('codes.uses_label')}
            value={draft.uses}
            onValue={(uses) => set({ uses })}
            error={isUses(draft.uses) ? errors.uses?.[0] : t('codes.uses_wrong')}
            inputMode="numeric"
            maxLength={7}
          />
        </div>
        <TextField
          type="date"
          label={t('codes.expires')}
          hint={t('codes.expires_hint')}
          value={draft.expires}
          onValue={(expires) => set({ expires })}
          error={errors.expires_at?.[0]}
        />
        <TextField
          label={t('codes.note')}
          hint={t('codes.note_hint')}
          value={draft.note}
          onValue={(note) => set({ note })}
          error={errors.note?.[0]}
          maxLength={1000}
        />
        {create.isError && Object.keys(errors).length === 0 && (
          <p className="notice bad" role="alert">
            {problemText(create.error)}
          </p>
        )}
        <div className="actions">
          <Button type="submit" look="primary" disabled={given === undefined || create.isPending}>
            {t('codes.create')}
          </Button>
          <Button look="plain" onClick={close}>
            {t('common.back')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

import { useState } from 'react'
import { OfferSelect } from '../products/offer.tsx'
import { ProductPicker } from '../products/picker.tsx'
import type { Product } from '../products/queries.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Check, TextField } from '../ui/forms/fields.tsx'
import { errorsOf, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { type Customer, useGive } from './queries.ts'
import { nameOf } from './words.ts'

/** Gives a customer a product for nothing, as an order that says why. */
export function Give({ customer, close }: { customer: Customer; close: () => void }) {
  const [product, setProduct] = useState<Product>()
  const [offer, setOffer] = useState(0)
  const [reason, setReason] = useState('')
  const [notify, setNotify] = useState(true)
  const give = useGive(customer.token)
  const errors = errorsOf(give.error)
  const lineError = Object.entries(errors).find(([path]) => path.startsWith('line_items'))?.[1][0]
  return (
    <Dialog title={t('give.title', { name: nameOf(customer) })} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (product === undefined || reason.trim() === '') return
          give.mutate(
            { product, offer, reason: reason.trim(), notify },
            {
              onSuccess: () => {
                close()
                toast(t('give.done', { title: product.title, name: nameOf(customer) }))
              },
            },
          )
        }}
      >
        {product === undefined ? (
          <ProductPicker label={t('give.product')} choose={setProduct} />
        ) : (
          <div className="with-end">
            <span className="grow strong">{product.title}</span>
            <Button
              look="plain"
              onClick={() => {
                setProduct(undefined)
                setOffer(0)
                give.reset()
              }}
            >
              {t('give.other')}
            </Button>
          </div>
        )}
        {lineError !== undefined && <p className="hint wrong">{lineError}</p>}
        {product !== undefined && product.price_license_binding.length > 1 && (
          <OfferSelect product={product} place={offer} choose={setOffer} />
        )}
        <TextField
          label={t('new_order.reason')}
          hint={t('new_order.reason_hint')}
          value={reason}
          onValue={setReason}
          maxLength={500}
          error={errors.free_reason?.[0]}
        />
        <Check label={t('new_order.notify')} isOn={notify} onChange={setNotify} />
        {give.isError && lineError === undefined && (
          <p className="notice bad" role="alert">
            {problemText(give.error)}
          </p>
        )}
        <div className="actions">
          <Button
            type="submit"
            look="primary"
            disabled={product === undefined || reason.trim() === '' || give.isPending}
          >
            {t('give.action')}
          </Button>
          <Button look="plain" onClick={close}>
            {t('common.back')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

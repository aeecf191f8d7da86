import './discounts.css'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { errorsOf, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { inputOf, isReadable, NEW_DISCOUNT } from './draft.ts'
import { DiscountFields } from './fields.tsx'
import { useCreateDiscount } from './queries.ts'

/** Makes a discount. */
export function NewDiscount({ close }: { close: () => void }) {
  const [draft, setDraft] = useState(NEW_DISCOUNT)
  const [isTried, setTried] = useState(false)
  const create = useCreateDiscount()
  const errors = errorsOf(create.error)
  const store = () =>
    create.mutate(inputOf(draft), {
      onSuccess: ({ code }) => {
        toast(t('discounts.created', { code }))
        close()
      },
    })
  return (
    <Dialog title={t('discounts.new')} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (isReadable(draft)) store()
        }}
      >
        <DiscountFields
          draft={draft}
          set={(part) => setDraft((now) => ({ ...now, ...part }))}
          errorAt={(path) => errors[path]?.[0]}
          isTried={isTried}
        />
        {create.isError && Object.keys(errors).length === 0 && (
          <p className="notice bad" role="alert">
            {problemText(create.error)}
          </p>
        )}
        <div className="actions">
          <Button type="submit" look="primary" disabled={create.isPending}>
            {t('discounts.create')}
          </Button>
          <Button look="plain" onClick={close}>
            {t('common.back')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

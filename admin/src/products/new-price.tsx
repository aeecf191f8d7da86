import { useState } from 'react'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { problemText } from '../ui/problem.tsx'
import { centsIn, money } from '../words/format.ts'
import { t } from '../words/words.ts'
import { useCreatePrice } from './queries.ts'

/** Makes a price where an offer needs one. */
export function NewPrice({ made, close }: { made: (id: number) => void; close: () => void }) {
  const { currency } = useSession()
  const [amount, setAmount] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const create = useCreatePrice()
  const store = () => {
    const cents = centsIn(amount)
    setIsWrong(cents === undefined)
    if (cents === undefined) return
    create.mutate(
      { title: money(cents, currency), cents, currency: currency.toLowerCase() },
      {
        onSuccess: ({ id }) => {
          made(id)
          close()
        },
      },
    )
  }
  const error = isWrong ? t('offers.amount_wrong') : create.isError ? problemText(create.error) : undefined
  return (
    <div className="new-price">
      <TextField
        label={t('offers.amount', { currency })}
        value={amount}
        onValue={setAmount}
        error={error}
        maxLength={20}
      />
      <Button onClick={store} disabled={create.isPending}>
        {t('offers.make_price')}
      </Button>
      <Button look="plain" onClick={close}>
        {t('common.back')}
      </Button>
    </div>
  )
}

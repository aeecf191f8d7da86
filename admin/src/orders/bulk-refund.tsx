import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Check, TextField } from '../ui/forms/fields.tsx'
import { centsIn, list, money } from '../words/format.ts'
import { t } from '../words/words.ts'
import { leftOf } from './bulk.ts'
import type { Order } from './queries.ts'

type BulkRefundProps = {
  orders: readonly Order[]
  refund: (note: string, restock: boolean) => void
  close: () => void
}

/** Asks for the reason and the whole sum before the money of several orders goes back. Nobody types that by accident. */
export function BulkRefund({ orders, refund, close }: BulkRefundProps) {
  const [note, setNote] = useState('')
  const [typed, setTyped] = useState('')
  const [restock, setRestock] = useState(true)
  const open = orders.filter((order) => leftOf(order) > 0)
  const sums = Map.groupBy(open, ({ currency }) => currency)
  const [only] = sums.keys()
  const sum = open.reduce((cents, order) => cents + leftOf(order), 0)
  const isOne = sums.size === 1 && only !== undefined
  const amounts = [...sums].map(([currency, each]) =>
    money(
      each.reduce((cents, order) => cents + leftOf(order), 0),
      currency,
    ),
  )
  const hasGoods = open.some(({ line_items }) => line_items.some(({ requires_shipping }) => requires_shipping))
  const isReady = isOne && note.trim() !== '' && centsIn(typed) === sum
  return (
    <Dialog title={t('orders.bulk.refund_title', { count: open.length })} close={close}>
      <p>
        {isOne
          ? t('orders.bulk.refund_text', { amount: amounts.join() })
          : t('orders.bulk.refund_currencies', { amounts: list(amounts) })}
      </p>
      {isOne && (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault()
            if (isReady) refund(note.trim(), restock && hasGoods)
          }}
        >
          <TextField
            label={t('refund.note')}
            hint={t('refund.note_hint')}
            value={note}
            onValue={setNote}
            maxLength={5000}
          />
          {hasGoods && <Check label={t('refund.restock')} isOn={restock} onChange={setRestock} />}
          <TextField
            label={t('orders.bulk.refund_sum', { amount: amounts.join() })}
            hint={t('orders.bulk.refund_sum_hint')}
            value={typed}
            onValue={setTyped}
            maxLength={20}
          />
          <div className="actions">
            <Button type="submit" look="danger" disabled={!isReady}>
              {t('refund.action', { amount: amounts.join() })}
            </Button>
            <Button look="plain" onClick={close}>
              {t('common.back')}
            </Button>
          </div>
        </form>
      )}
      {!isOne && (
        <div className="actions">
          <Button look="plain" onClick={close}>
            {t('common.back')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

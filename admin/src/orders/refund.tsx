import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Check, TextField } from '../ui/forms/fields.tsx'
import { Card } from '../ui/page.tsx'
import { problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { money } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type LineItem, type Order, type RefundInput, useRefund } from './queries.ts'
import { refundedPieces } from './words.ts'

/** Gives money back for lines of an order. It shows what happens before it does. */
export function RefundCard({ order, close }: { order: Order; close: () => void }) {
  const open = order.line_items
    .map((line) => ({ line, left: line.quantity - refundedPieces(order, line) }))
    .filter(({ left }) => left > 0)
  const [pieces, setPieces] = useState<ReadonlyMap<number, number>>(() => onlyPiece(open))
  const [note, setNote] = useState('')
  const [restock, setRestock] = useState(true)
  const chosen = open.filter(({ line }) => pieces.has(line.id))
  const hasGoods = chosen.some(({ line }) => line.requires_shipping)
  const input: RefundInput = {
    refund_line_items: chosen.map(({ line }) => ({ line_item_id: line.id, quantity: pieces.get(line.id) ?? 1 })),
    restock: restock && hasGoods,
    ...(note.trim() === '' ? {} : { note: note.trim() }),
  }
  const isChosen = chosen.length > 0
  const calculation = useCalculation(order.id, input, isChosen)
  const refund = useRefund(order.id)
  const amount = isChosen && calculation.data !== undefined ? money(calculation.data.amount, order.currency) : undefined

  const choose = (line: LineItem, quantity: number) => {
    const next = new Map(pieces)
    if (quantity === 0) next.delete(line.id)
    else next.set(line.id, quantity)
    setPieces(next)
  }

  return (
    <Card
      title={t('refund.title')}
      end={
        <Button look="plain" icon="close" aria-label={t('common.close')} onClick={close}>
          {''}
        </Button>
      }
    >
      <ul className="rows">
        {open.map(({ line, left }) => (
          <li key={line.id}>
            <span className="grow">
              <Check label={line.name} isOn={pieces.has(line.id)} onChange={(isOn) => choose(line, isOn ? left : 0)} />
            </span>
            {left > 1 && (
              <label className="figure">
                <span className="hidden">{t('refund.pieces', { title: line.name })}</span>
                <input
                  className="input amount quantity"
                  type="number"
                  min={1}
                  max={left}
                  disabled={!pieces.has(line.id)}
                  value={pieces.get(line.id) ?? left}
                  onChange={(event) =>
                    choose(line, Math.min(left, Math.max(1, Math.trunc(event.target.valueAsNumber) || 1)))
                  }
                />{' '}
                {t('refund.of', { left })}
              </label>
            )}
          </li>
        ))}
      </ul>
      <div className="card-body stack">
        <TextField
          label={t('refund.note')}
          hint={t('refund.note_hint')}
          value={note}
          onValue={setNote}
          maxLength={5000}
        />
        {hasGoods && <Check label={t('refund.restock')} isOn={restock} onChange={setRestock} />}
        {isChosen && calculation.data !== undefined && (
          <dl className="sums notice-box">
            <dt className="strong">{t('refund.back')}</dt>
            <dd className="strong">{money(calculation.data.amount, order.currency)}</dd>
            <dt className="muted">{t('refund.left')}</dt>
            <dd className="muted">{money(calculation.data.left, order.currency)}</dd>
          </dl>
        )}
        {isChosen && (
          <ul className="effects">
            {chosen.some(({ line }) => line.license_id !== null) && <li>{t('refund.ends_rights')}</li>}
            {hasGoods && restock && <li>{t('refund.restocks')}</li>}
            <li>{t('refund.mails', { email: order.email })}</li>
          </ul>
        )}
        {(refund.isError || (isChosen && calculation.isError)) && (
          <p className="notice bad" role="alert">
            {problemText(refund.error ?? calculation.error)}
          </p>
        )}
        <div className="actions">
          <Button
            look="primary"
            disabled={amount === undefined || refund.isPending || calculation.isPlaceholderData}
            onClick={() =>
              refund.mutate(input, {
                onSuccess: () => {
                  close()
                  toast(t('refund.done', { amount: amount ?? '', order: order.name }))
                },
              })
            }
          >
            {amount === undefined ? t('orders.refund') : t('refund.action', { amount })}
          </Button>
          <Button look="plain" onClick={close}>
            {t('common.back')}
          </Button>
          <span className="muted small">{t('refund.careful')}</span>
        </div>
      </div>
    </Card>
  )
}

/** Where there is one thing only, nobody has to choose it. */
function onlyPiece(open: readonly { line: LineItem; left: number }[]): ReadonlyMap<number, number> {
  const [first, ...others] = open
  return first?.left === 1 && others.length === 0 ? new Map([[first.line.id, 1]]) : new Map()
}

/** What a refund would give back. The service works it out, because it knows what was rounded and given back before. */
function useCalculation(orderId: number, input: RefundInput, isChosen: boolean) {
  return useQuery({
    queryKey: ['refund calculations', orderId, input.refund_line_items],
    enabled: isChosen,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.orders.refunds.calculate(orderId, input, { signal }),
  })
}

import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useMay } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Check, TextField } from '../ui/forms/fields.tsx'
import { Card } from '../ui/page.tsx'
import { problemText } from '../ui/problem.tsx'
import { Segments } from '../ui/segments.tsx'
import { toast } from '../ui/toasts.tsx'
import { money } from '../words/format.ts'
import { t } from '../words/words.ts'
import { invoicesQuery, type Order, type RefundInput, useRefund } from './queries.ts'
import { type RefundDraft, useRefundDraft } from './refund-draft.ts'
import { RefundLines } from './refund-lines.tsx'
import { BY_HAND } from './status.tsx'

/** Gives money back for an order. It shows what happens before it does. */
export function RefundCard({ order, close }: { order: Order; close: () => void }) {
  const draft = useRefundDraft(order)
  const [note, setNote] = useState('')
  const [restock, setRestock] = useState(true)
  const { mode, input, calculation, isSettled } = draft
  const hasGoods = draft.chosen.some(({ line }) => line.requires_shipping)
  const refund = useRefund(order.id)
  const amount = calculation === undefined ? undefined : money(calculation.amount, order.currency)
  const problem = refund.error ?? draft.error
  const send = (chosen: RefundInput) =>
    refund.mutate(
      { ...chosen, restock: restock && hasGoods, ...(note.trim() === '' ? {} : { note: note.trim() }) },
      {
        onSuccess: () => {
          close()
          toast(t('refund.done', { amount: amount ?? '', order: order.name }))
        },
      },
    )
  return (
    <Card
      title={t('refund.title')}
      end={
        <Button look="plain" icon="close" aria-label={t('common.close')} onClick={close}>
          {''}
        </Button>
      }
    >
      <div className="card-body stack">
        <Segments
          label={t('refund.what')}
          chosen={mode}
          choose={draft.setMode}
          values={(['lines', 'amount', 'all'] as const).map((value) => ({ value, title: t(`refund.modes.${value}`) }))}
        />
        <p className="muted small">{t(`refund.about.${mode}`)}</p>
      </div>
      {mode === 'lines' && <RefundLines order={order} draft={draft} />}
      <div className="card-body stack">
        <div className="pair">
          {mode !== 'all' && <AmountField order={order} draft={draft} />}
          <TextField
            label={t('refund.note')}
            hint={t('refund.note_hint')}
            value={note}
            onValue={setNote}
            maxLength={5000}
          />
        </div>
        {hasGoods && <Check label={t('refund.restock')} isOn={restock} onChange={setRestock} />}
        <Effects order={order} draft={draft} isRestocked={hasGoods && restock} />
        {problem !== null && (
          <p className="notice bad" role="alert">
            {problemText(problem)}
          </p>
        )}
        <div className="actions">
          <Button
            look="primary"
            disabled={
              input === undefined || amount === undefined || refund.isPending || !isSettled || draft.error !== null
            }
            onClick={() => input !== undefined && send(input)}
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

/** How much goes back: what the chosen lines cost, unless the owner types another amount. */
function AmountField({ order, draft: { mode, typed, setTyped, suggested } }: { order: Order; draft: RefundDraft }) {
  const id = useId()
  const shown = typed ?? (suggested === undefined ? '' : (suggested / 100).toFixed(2))
  return (
    <div className="field">
      <label htmlFor={id}>{t('refund.amount', { currency: order.currency })}</label>
      <input
        id={id}
        className="input amount"
        inputMode="decimal"
        maxLength={14}
        value={shown}
        aria-describedby={`${id}-said`}
        onChange={({ target }) => setTyped(target.value)}
      />
      <p id={`${id}-said`} className="hint">
        {t(mode === 'lines' ? 'refund.amount_hint' : 'refund.goodwill_hint')}
      </p>
    </div>
  )
}

type EffectsProps = { order: Order; draft: RefundDraft; isRestocked: boolean }

/** The sums of a refund, and what else it does. */
function Effects({ order, draft: { chosen, calculation }, isRestocked }: EffectsProps) {
  const invoices = useQuery({ ...invoicesQuery(order.id), enabled: useMay('accounting') }).data
  const invoice = invoices?.find(({ kind }) => kind === 'invoice')
  if (calculation === undefined) return null
  const { amount, tax, left } = calculation
  return (
    <>
      <dl className="sums notice-box">
        <dt className="strong">{t('refund.back')}</dt>
        <dd className="strong">{money(amount, order.currency)}</dd>
        <dt className="muted">{t('refund.tax')}</dt>
        <dd className="muted">{money(tax, order.currency)}</dd>
        <dt className="muted">{t('refund.left')}</dt>
        <dd className="muted">{money(left, order.currency)}</dd>
      </dl>
      <ul className="effects">
        {amount > 0 && (
          <li>
            {order.gateway === BY_HAND ? t('refund.by_hand') : t('refund.by_gateway', { gateway: order.gateway })}
          </li>
        )}
        {chosen.some(({ line }) => line.license_id !== null) && <li>{t('refund.ends_rights')}</li>}
        {isRestocked && <li>{t('refund.restocks')}</li>}
        {invoice !== undefined && amount > 0 && <li>{t('refund.credit_note', { invoice: invoice.number })}</li>}
        <li>{t('refund.mails', { email: order.email })}</li>
      </ul>
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { usedOf } from '../customers/words.ts'
import { Check } from '../ui/forms/fields.tsx'
import { money } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Order, rightsQuery } from './queries.ts'
import type { OpenLine, RefundDraft } from './refund-draft.ts'

/** The lines of an order with what was used of them, and its shipping, to choose from. */
export function RefundLines({ order, draft }: { order: Order; draft: RefundDraft }) {
  const rights = useQuery(rightsQuery(order.id)).data
  const { open, shipping, isWithShipping, setIsWithShipping } = draft
  const used = ({ product_id }: OpenLine['line']) => {
    const right = rights?.find((each) => each.product_id === product_id)
    return right === undefined ? '' : usedOf(right)
  }
  return (
    <ul className="rows">
      {open.map((each) => (
        <RefundLine key={each.line.id} order={order} open={each} used={used(each.line)} draft={draft} />
      ))}
      {shipping !== undefined && shipping > 0 && (
        <li>
          <span className="grow">
            <Check
              label={t('orders.shipping', { title: order.shipping_lines.map(({ title }) => title).join(', ') })}
              isOn={isWithShipping}
              onChange={setIsWithShipping}
            />
          </span>
          <span className={isWithShipping ? 'figure' : 'figure muted'}>{money(shipping, order.currency)}</span>
        </li>
      )}
    </ul>
  )
}

type RefundLineProps = { order: Order; open: OpenLine; used: string; draft: RefundDraft }

function RefundLine({ order, open: { line, left }, used, draft: { pieces, choose, costs } }: RefundLineProps) {
  const cost = pieces.has(line.id) ? costs.get(line.id) : undefined
  return (
    <li className="wraps">
      <span className="grow">
        <Check
          label={
            <>
              {line.name}
              {used !== '' && <span className="muted small block">{used}</span>}
            </>
          }
          isOn={pieces.has(line.id)}
          onChange={(isOn) => choose(line, isOn ? left : 0)}
        />
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
            onChange={(event) => choose(line, Math.min(left, Math.max(1, Math.trunc(event.target.valueAsNumber) || 1)))}
          />{' '}
          {t('refund.of', { left })}
        </label>
      )}
      {cost !== undefined && <span className="figure">{money(cost, order.currency)}</span>}
    </li>
  )
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { centsIn } from '../words/format.ts'
import type { LineItem, Order, RefundInput } from './queries.ts'
import { refundedOf, refundedPieces } from './words.ts'

/** What is given back: lines, with shipping or not; an amount, and customers keep what they have; or all that is left. */
export type Mode = 'lines' | 'amount' | 'all'
export type OpenLine = { line: LineItem; left: number }

/** The lines of which something is left to give back. */
export const openLines = (order: Order): OpenLine[] =>
  order.line_items
    .map((line) => ({ line, left: line.quantity - refundedPieces(order, line) }))
    .filter(({ left }) => left > 0)

const linesOf = (chosen: readonly OpenLine[], pieces: ReadonlyMap<number, number>) =>
  chosen.map(({ line, left }) => ({ line_item_id: line.id, quantity: pieces.get(line.id) ?? left }))

/** What a refund would give back. The service works it out, because it knows what was rounded and given back before. */
function useCalculation(orderId: number, input: RefundInput | undefined) {
  return useQuery({
    queryKey: ['refund calculations', orderId, input],
    enabled: input !== undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.orders.refunds.calculate(orderId, input ?? {}, { signal }),
  })
}

/** What is left of an order when all of its lines are given back: what was paid for shipping, or what was not refunded before. */
function useBeyondLines(order: Order, open: readonly OpenLine[]): number | undefined {
  const whole = useCalculation(
    order.id,
    open.length === 0 ? undefined : { refund_line_items: linesOf(open, new Map()) },
  )
  const left = open.length === 0 ? order.total_price - refundedOf(order) : whole.data?.left
  const shipping = order.shipping_lines.reduce((sum, { price }) => sum + price, 0)
  return left === undefined ? undefined : Math.min(left, shipping)
}

/** A refund as it is put together, and what the service says that it would do. */
export function useRefundDraft(order: Order) {
  const open = openLines(order)
  const [mode, setMode] = useState<Mode>('lines')
  const [pieces, setPieces] = useState(() => onlyPiece(open))
  const [isWithShipping, setIsWithShipping] = useState(open.length === 0)
  const [typed, setTyped] = useState<string>()
  const shipping = useBeyondLines(order, open)
  const chosen = mode === 'all' ? open : mode === 'lines' ? open.filter(({ line }) => pieces.has(line.id)) : []
  const lines = linesOf(chosen, mode === 'all' ? new Map() : pieces)
  const ofLines = useCalculation(
    order.id,
    mode === 'lines' && lines.length > 0 ? { refund_line_items: lines } : undefined,
  )
  // The service alone knows what the lines cost; what is added to them is an amount of its own.
  const base = lines.length === 0 ? 0 : ofLines.data?.amount
  const added = isWithShipping ? (shipping ?? 0) : 0
  const suggested = mode === 'lines' && base !== undefined ? base + added : undefined
  const amount = typed === undefined ? suggested : centsIn(typed)
  const input = inputOf(mode, lines, amount, amount === base && typed === undefined)
  const calculation = useCalculation(order.id, input)
  const isSettled = !calculation.isPlaceholderData && !(mode === 'lines' && ofLines.isPlaceholderData)
  return {
    open,
    mode,
    setMode: (next: Mode) => {
      setMode(next)
      setTyped(undefined)
    },
    pieces,
    choose: (line: LineItem, quantity: number) => {
      const next = new Map(pieces)
      if (quantity === 0) next.delete(line.id)
      else next.set(line.id, quantity)
      setPieces(next)
      setTyped(undefined)
    },
    shipping,
    isWithShipping,
    setIsWithShipping: (isOn: boolean) => {
      setIsWithShipping(isOn)
      setTyped(undefined)
    },
    typed,
    setTyped,
    suggested,
    chosen,
    input,
    /** What each chosen line costs. */
    costs: new Map(ofLines.data?.refund_line_items.map((line) => [line.line_item_id, line.amount])),
    calculation: input === undefined ? undefined : calculation.data,
    error: input === undefined ? null : calculation.error,
    isSettled,
  }
}

export type RefundDraft = ReturnType<typeof useRefundDraft>

function inputOf(
  mode: Mode,
  lines: NonNullable<RefundInput['refund_line_items']>,
  amount: number | undefined,
  isOfLines: boolean,
): RefundInput | undefined {
  if (mode === 'all') return { all: true }
  if (amount === undefined || (amount === 0 && lines.length === 0)) return undefined
  if (lines.length === 0) return { amount }
  return isOfLines ? { refund_line_items: lines } : { refund_line_items: lines, amount }
}

/** Where there is one thing only, nobody has to choose it. */
function onlyPiece(open: readonly OpenLine[]): ReadonlyMap<number, number> {
  const [first, ...others] = open
  return first?.left === 1 && others.length === 0 ? new Map([[first.line.id, 1]]) : new Map()
}

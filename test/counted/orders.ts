import fc from 'fast-check'
import { ask, contentOf } from '../entitlements.ts'
import type { Wire } from '../factories.ts'
import type { Shop } from '../harness.ts'
import { aBuyer, anOrder } from '../orders.ts'
import { cancel, refund } from '../sales.ts'
import { NOTHING } from '../statistics.ts'
import type { Calendar } from './calendar.ts'
import type { PricedProduct } from './carts.ts'

export const orderStep = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('sell' as const),
      film: fc.integer({ min: 0, max: 2 }),
      cups: fc.integer({ min: 0, max: 2 }),
      abroad: fc.boolean(),
      test: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('refund' as const, 'cancel' as const), index: fc.nat(20) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('play' as const, 'download' as const), index: fc.nat(20) }),
  },
)

export type OrderStep = typeof orderStep extends fc.Arbitrary<infer Step> ? Step : never

type Sold = {
  id: number
  day: string
  film: number
  cups: number
  abroad: boolean
  test: boolean
  isCancelled: boolean
  lineIds: number[]
}

/** The orders of a shop and the uses of what they gave, and a count of them from scratch. */
export async function rememberOrders(opened: Shop, film: PricedProduct, cup: PricedProduct, { day }: Calendar) {
  const [home, abroad] = [await aBuyer(opened, 'DE'), await aBuyer(opened, 'CH')]
  const sold: Sold[] = []
  const uses: { day: string; kind: 'play' | 'download' }[] = []
  const counts = ({ test, isCancelled }: Sold) => !test && !isCancelled

  async function sell(shop: Shop, given: Extract<OrderStep, { kind: 'sell' }>): Promise<void> {
    const lines = [
      { product_id: film.product.product_id, quantity: given.film },
      { product_id: cup.product.product_id, quantity: given.cups },
    ].filter(({ quantity }) => quantity > 0)
    if (lines.length === 0) return
    const order = await anOrder(shop, given.abroad ? abroad : home, lines, { test: given.test })
    const lineIds = order.line_items.map(({ id }: Wire) => id)
    sold.push({ ...given, id: order.id, day: day(), isCancelled: false, lineIds })
  }

  async function take(shop: Shop, kind: 'refund' | 'cancel', index: number): Promise<void> {
    const order = oneOf(
      sold.filter((each) => counts(each) && each.film + each.cups > 0),
      index,
    )
    if (order === undefined) return
    if (kind === 'cancel') {
      await cancel(shop, order.id)
      order.isCancelled = true
      return
    }
    await refund(shop, order.id, { refund_line_items: [{ line_item_id: order.lineIds[0], quantity: 1 }] })
    if (order.film > 0) order.film -= 1
    else order.cups -= 1
    order.lineIds = linesLeft((await shop.get(`/api/orders/${order.id}.json`)).body.order)
  }

  /** What was given back is not used any more, and the use of a test is not counted. */
  async function use(shop: Shop, kind: 'play' | 'download', index: number): Promise<void> {
    const owned = oneOf(await contentOf(shop, home), index)
    if (owned === undefined) return
    const { allowed } = await ask(shop, 'use', owned.id, { action: kind, device: 'tv' })
    const isTest = sold.some(({ id, test }) => id === owned.order_id && test)
    if (allowed && !isTest) uses.push({ day: day(), kind })
  }

  return {
    async run(shop: Shop, step: OrderStep): Promise<void> {
      if (step.kind === 'sell') await sell(shop, step)
      else if (step.kind === 'refund' || step.kind === 'cancel') await take(shop, step.kind, step.index)
      else await use(shop, step.kind, step.index)
    },
    /** Orders of any kind. */
    all: () => sold.length,
    recordOf: (date?: string) =>
      recordOf(
        sold.filter((each) => counts(each) && (date === undefined || each.day === date)),
        film.cents,
        cup.cents,
      ),
    /** The plays and downloads of each day that has any. */
    usesOf(): Record<string, [number, number]> {
      const number = (date: string, kind: string) =>
        uses.filter((each) => each.day === date && each.kind === kind).length
      const dates = new Set(uses.map((each) => each.day))
      return Object.fromEntries([...dates].map((date) => [date, [number(date, 'play'), number(date, 'download')]]))
    },
  }
}

function recordOf(sold: readonly Sold[], filmCents: number, cupCents: number): typeof NOTHING {
  const record = { ...NOTHING }
  for (const { film, cups, abroad } of sold) {
    const [digital, physical] = [film * filmCents, cups * cupCents]
    record.order_count += 1
    record.order_amount += digital + physical
    record[abroad ? 'international_count' : 'national_count'] += 1
    record[abroad ? 'international_amount' : 'national_amount'] += digital + physical
    record.item_count += film + cups
    record.digital_count += film
    record.digital_amount += digital
    record.permanent_license_count += film
    record.permanent_license_amount += digital
    record.physical_count += cups
    record.physical_amount += physical
  }
  return record
}

const oneOf = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length]

/** The lines of an order of which something can still be refunded. */
function linesLeft({ line_items, refunds }: Wire): number[] {
  const back = (id: number) =>
    refunds
      .flatMap(({ refund_line_items }: Wire) => refund_line_items)
      .filter(({ line_item }: Wire) => line_item.id === id)
      .reduce((sum: number, { quantity }: Wire) => sum + quantity, 0)
  return line_items.filter(({ id, quantity }: Wire) => quantity > back(id)).map(({ id }: Wire) => id)
}

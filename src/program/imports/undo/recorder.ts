import { readCategories } from '#catalog/categories/queries.ts'
import { readPrices } from '#catalog/prices/queries.ts'
import type { PriceState } from '#catalog/prices/state.ts'
import { changedParts } from '#catalog/products/former/rules.ts'
import { readProducts } from '#catalog/products/queries.ts'
import type { ProductState } from '#catalog/products/state.ts'
import type { Tx } from '#platform/db/database.ts'
import { type RedeemedCode, readRedeemed } from '#rights/redemption-codes/past-sales/queries.ts'
import { keepChanges } from './changes.commands.ts'
import {
  categoryPrint,
  changedFields,
  codePrint,
  customerPrint,
  detailsOf,
  priceParts,
  pricePrint,
  productPrint,
} from './prints.ts'
import type { Change } from './state.ts'
import { type CustomerParts, readCustomerParts } from './uses.queries.ts'

/** Something that an import has written: new, or with its state before. */
export type Touched = { id: number; name: string; where: string } & (
  | { kind: 'products'; before?: ProductState }
  | { kind: 'prices'; before?: PriceState }
  | { kind: 'categories' }
  | { kind: 'redemption_codes' }
  | { kind: 'customers'; before?: CustomerParts }
)

/** Remembers what an import does, so that it can be undone. */
export type Recorder = {
  note(touched: Touched): void
  /** Writes it down. What was written is read again, because it is compared later with what is read then. */
  flush(tx: Tx): Promise<void>
}

export function createRecorder(of: { companyId: number; importId: number }): Recorder {
  let waiting: Touched[] = []
  let count = 0
  return {
    note: (touched) => waiting.push(touched),
    async flush(tx) {
      if (waiting.length === 0) return
      const made = await changesOf(tx, of.companyId, waiting)
      waiting = []
      const numbered = made.map((change): Change => {
        count += 1
        return { ...change, number: count }
      })
      await keepChanges(tx, of, numbered)
    },
  }
}

type Made = Omit<Change, 'number'>

async function changesOf(tx: Tx, companyId: number, touched: readonly Touched[]): Promise<Made[]> {
  const idsOf = (kind: Touched['kind']) => touched.filter((each) => each.kind === kind).map(({ id }) => id)
  const byId = <State extends { id: number }>(states: State[]) => new Map(states.map((state) => [state.id, state]))
  const ids = { products: idsOf('products'), prices: idsOf('prices'), categories: idsOf('categories') }
  const codeIds = idsOf('redemption_codes')
  const [products, prices, categories, codes, customers] = await Promise.all([
    ids.products.length === 0 ? [] : readProducts(tx, companyId, ids.products),
    ids.prices.length === 0 ? [] : readPrices(tx, companyId, ids.prices),
    ids.categories.length === 0 ? [] : readCategories(tx, companyId, ids.categories),
    codeIds.length === 0 ? [] : readRedeemed(tx, companyId, codeIds),
    readCustomerParts(tx, companyId, idsOf('customers')),
  ])
  const known = {
    products: byId(products),
    prices: byId(prices),
    categories: byId(categories),
    redemption_codes: byId(codes),
    customers,
  }
  return touched.flatMap((each): Made[] => {
    const now = stateNow(each, known)
    const line = Number(/\d+/.exec(each.where)?.[0] ?? 0)
    return now === undefined ? [] : [{ kind: each.kind, thing_id: each.id, name: each.name, line, ...now }]
  })
}

type Known = {
  products: Map<number, ProductState>
  prices: Map<number, PriceState>
  categories: Map<number, Parameters<typeof categoryPrint>[0]>
  redemption_codes: Map<number, RedeemedCode>
  customers: Map<number, CustomerParts>
}

function stateNow(touched: Touched, known: Known): Pick<Made, 'before' | 'after'> | undefined {
  if (touched.kind === 'products') {
    const state = known.products.get(touched.id)
    if (state === undefined) return undefined
    return touched.before === undefined
      ? { before: null, after: productPrint(state) }
      : changedParts(touched.before, state)
  }
  if (touched.kind === 'prices') {
    const state = known.prices.get(touched.id)
    if (state === undefined) return undefined
    return touched.before === undefined
      ? { before: null, after: pricePrint(state) }
      : changedFields(priceParts(touched.before), priceParts(state))
  }
  if (touched.kind === 'categories') {
    const state = known.categories.get(touched.id)
    return state && { before: null, after: categoryPrint(state) }
  }
  if (touched.kind === 'redemption_codes') {
    const code = known.redemption_codes.get(touched.id)
    return code && { before: null, after: codePrint(code) }
  }
  const parts = known.customers.get(touched.id)
  if (parts === undefined) return undefined
  return touched.before === undefined
    ? { before: null, after: customerPrint(parts) }
    : changedFields(detailsOf(touched.before), detailsOf(parts))
}

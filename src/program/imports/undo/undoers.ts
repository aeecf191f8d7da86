import { deleteCategory } from '#catalog/categories/commands.ts'
import { readCategories } from '#catalog/categories/queries.ts'
import { deletePrice, updatePrice } from '#catalog/prices/commands.ts'
import { lockPrices, readPrices } from '#catalog/prices/queries.ts'
import { deleteProducts } from '#catalog/products/commands.ts'
import { restoreParts } from '#catalog/products/former/commands.ts'
import { compareParts, namesOfParts, type Part, type Parts } from '#catalog/products/former/rules.ts'
import { lockProduct, lockProductRows, readProducts } from '#catalog/products/queries.ts'
import { changeOwnCustomer, deleteCustomer, updateCustomer } from '#people/customers/commands.ts'
import { lockAccounts } from '#people/customers/queries.ts'
import type { RelationState } from '#people/customers/state.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Author } from '#platform/identity/caller.ts'
import { withdrawCode } from '#rights/redemption-codes/past-sales/commands.ts'
import { lockCodes, readRedeemed } from '#rights/redemption-codes/past-sales/queries.ts'
import { forgetSubscriber } from '#selling/subscriptions/forget.commands.ts'
import {
  categoryPrint,
  codePrint,
  compareFields,
  customerPrint,
  detailsOf,
  isPrint,
  priceParts,
  pricePrint,
  productPrint,
} from './prints.ts'
import type { Change, ChangeKind, Plan } from './state.ts'
import {
  findActiveCustomers,
  findUsesOfProducts,
  readBoundTo,
  readCustomerParts,
  readInCategories,
  readIncluded,
} from './uses.queries.ts'

/** What a preview takes for undone already: the worker finds these things gone. */
export type Freed = {
  products: Set<number>
  categories: Set<number>
  /** Products that leave the categories, or the prices, of the import. */
  ofCategories: Set<number>
  ofPrices: Set<number>
  entitlements: Set<number>
  /** What collections include, once it was read: to read it takes as long as the shop has products. */
  included?: Set<string>
}

export const nothingFreed = (): Freed => ({
  products: new Set(),
  categories: new Set(),
  ofCategories: new Set(),
  ofPrices: new Set(),
  entitlements: new Set(),
})

/** How a kind of thing is undone. */
export type Undoer = {
  /** Locks things until the transaction ends, so that what is planned is still right when it is done. */
  lock(tx: Tx, companyId: number, ids: number[]): Promise<unknown>
  plan(db: Db, companyId: number, changes: readonly Change[], freed: Freed): Promise<Plan[]>
  remove(tx: Tx, author: Author, ids: number[], now: Date): Promise<unknown>
  restore(tx: Tx, author: Author, change: Change, names: readonly string[], now: Date): Promise<unknown>
}

const oneByOne =
  (remove: (tx: Tx, author: Author, id: number, now: Date) => Promise<unknown>): Undoer['remove'] =>
  async (tx, author, ids, now) => {
    for (const id of ids) await remove(tx, author, id, now)
  }

const idsOf = (changes: readonly Change[]) => changes.map(({ thing_id }) => thing_id)

/** A thing that was created is removed, unless something depends on it or somebody has changed it. */
function planRemoval(use: 'sold' | 'in_use' | undefined, isSame: boolean): Plan {
  if (use !== undefined) return { action: 'keep', reason: use, left: [] }
  return isSame ? { action: 'remove' } : { action: 'keep', reason: 'changed', left: [] }
}

/** A thing that was changed gets back what nobody has changed since. */
function planRestoring(same: readonly string[], left: string[]): Plan {
  return same.length === 0 ? { action: 'keep', reason: 'changed', left } : { action: 'restore', names: same, left }
}

const products: Undoer = {
  lock: lockProductRows,
  async plan(db, companyId, changes, freed) {
    const ids = idsOf(changes)
    freed.included ??= await readIncluded(db, companyId)
    const { included } = freed
    const [states, uses] = await Promise.all([readProducts(db, companyId, ids), findUsesOfProducts(db, companyId, ids)])
    const known = new Map(states.map((state) => [state.id, state]))
    return changes.map(({ thing_id, before, after }): Plan => {
      const product = known.get(thing_id)
      if (product === undefined) return { action: 'gone' }
      const use = uses.get(thing_id) ?? (included.has(product.product_id) ? 'in_use' : undefined)
      if (before === null) {
        const plan = planRemoval(use, isPrint(after, productPrint(product)))
        if (plan.action === 'remove') freed.products.add(thing_id)
        return plan
      }
      const { same, changed } = compareParts(product, after as Parts)
      if (same.includes('categories')) freed.ofCategories.add(thing_id)
      if (same.includes('bindings')) freed.ofPrices.add(thing_id)
      return planRestoring(same, namesOfParts(changed))
    })
  },
  remove: (tx, { companyId }, ids, now) => deleteProducts(tx, companyId, ids, now),
  async restore(tx, { companyId }, { thing_id, before }, names, now) {
    const product = await lockProduct(tx, companyId, String(thing_id))
    await restoreParts(tx, product, (before ?? {}) as Parts, names as readonly Part[], now)
  },
}

const prices: Undoer = {
  lock: lockPrices,
  async plan(db, companyId, changes, freed) {
    const ids = idsOf(changes)
    const [states, bound] = await Promise.all([readPrices(db, companyId, ids), readBoundTo(db, companyId, ids)])
    const known = new Map(states.map((state) => [state.id, state]))
    const isFree = (key: number) => freed.products.has(key) || freed.ofPrices.has(key)
    const used = new Set(
      bound.flatMap(({ price_id, compare_price_id, product_key }) =>
        isFree(product_key) ? [] : [price_id, compare_price_id],
      ),
    )
    return changes.map(({ thing_id, before, after }): Plan => {
      const price = known.get(thing_id)
      if (price === undefined) return { action: 'gone' }
      if (before === null && price.valid === 0) return { action: 'gone' }
      if (before === null)
        return planRemoval(used.has(thing_id) ? 'in_use' : undefined, isPrint(after, pricePrint(price)))
      const { same, changed } = compareFields(priceParts(price), { ...after })
      return planRestoring(same, changed.map(priceField))
    })
  },
  remove: oneByOne((tx, author, id, now) => deletePrice(tx, author, String(id), now)),
  restore(tx, author, { thing_id, before }, names, now) {
    const former: ReturnType<typeof priceParts> = Object(before)
    const input = {
      ...(names.includes('title') ? { title: former.title } : {}),
      ...(names.includes('valid') ? { valid: former.valid } : {}),
      ...(names.includes('countries')
        ? { countries: former.countries.map(({ country_code, cents }) => ({ country_code, price: cents })) }
        : {}),
      ...(names.includes('currencies')
        ? { currencies: former.currencies.map(({ currency, cents }) => ({ currency, price: cents })) }
        : {}),
    }
    return updatePrice(tx, author, String(thing_id), input, now)
  },
}

const priceField = (name: string) => (name === 'title' ? 'title' : 'price')

/** Imports create categories on their way, and never change one. */
const categories: Undoer = {
  lock: async () => {},
  async plan(db, companyId, changes, freed) {
    const ids = idsOf(changes)
    const [states, inside] = await Promise.all([
      readCategories(db, companyId, ids),
      readInCategories(db, companyId, ids),
    ])
    const known = new Map(states.map((state) => [state.id, state]))
    const isFree = (key: number) => freed.products.has(key) || freed.ofCategories.has(key)
    const filled = new Set(
      inside.products.filter(({ product_key }) => !isFree(product_key)).map(({ category_id }) => category_id),
    )
    const children = Map.groupBy(inside.children, ({ parent_id }) => parent_id)
    // A category comes before those above it, because it was created after them.
    return changes.map(({ thing_id, after }): Plan => {
      const category = known.get(thing_id)
      if (category === undefined) return { action: 'gone' }
      const isParent = children.get(thing_id)?.some(({ id }) => !freed.categories.has(id)) ?? false
      const plan = planRemoval(
        filled.has(thing_id) || isParent ? 'in_use' : undefined,
        isPrint(after, categoryPrint(category)),
      )
      if (plan.action === 'remove') freed.categories.add(thing_id)
      return plan
    })
  },
  remove: oneByOne((tx, { companyId }, id, now) => deleteCategory(tx, { companyId }, String(id), now)),
  restore: async () => {},
}

/** Codes, and what was given with them. */
const redemption_codes: Undoer = {
  lock: lockCodes,
  async plan(db, companyId, changes, freed) {
    const codes = new Map((await readRedeemed(db, companyId, idsOf(changes))).map((code) => [code.id, code]))
    return changes.map(({ thing_id, after }): Plan => {
      const code = codes.get(thing_id)
      if (code === undefined) return { action: 'gone' }
      const isSame = isPrint(after, codePrint(code))
      if (isSame) for (const id of code.entitlement_ids) freed.entitlements.add(id)
      return planRemoval(isSame ? undefined : 'in_use', true)
    })
  },
  remove: oneByOne((tx, { companyId }, id) => withdrawCode(tx, companyId, id)),
  restore: async () => {},
}

const customers: Undoer = {
  lock: (tx, _companyId, ids) => lockAccounts(tx, ids),
  async plan(db, companyId, changes, freed) {
    const ids = idsOf(changes)
    const [known, active] = await Promise.all([
      readCustomerParts(db, companyId, ids),
      findActiveCustomers(db, companyId, ids, freed.entitlements),
    ])
    return changes.map(({ thing_id, before, after }): Plan => {
      const parts = known.get(thing_id)
      if (parts === undefined) return { action: 'gone' }
      if (before === null) return planRemoval(active.get(thing_id), isPrint(after, customerPrint(parts)))
      const { same, changed } = compareFields(detailsOf(parts), { ...after })
      return planRestoring(same, changed.map(customerField))
    })
  },
  remove: oneByOne((tx, { companyId }, id, now) =>
    deleteCustomer(tx, { companyId }, String(id), forgetSubscriber, now),
  ),
  async restore(tx, { companyId }, { thing_id, before }, names, now) {
    const ref = String(thing_id)
    const former: Pick<RelationState, 'addresses'> & { language: string } = Object(before)
    const { language, ...details } = former
    const wanted = Object.fromEntries(Object.entries(details).filter(([name]) => names.includes(name)))
    await changeOwnCustomer(tx, { companyId }, ref, (own) => ({ ...own, ...wanted }), now)
    if (names.includes('language'))
      await updateCustomer(tx, { companyId }, ref, { language }, { passwordHash: undefined, limits: [] }, '', now)
  },
}

const customerField = (name: string) => (name === 'addresses' ? 'address1' : name)

export const UNDOERS: Record<ChangeKind, Undoer> = {
  products,
  redemption_codes,
  prices,
  categories,
  customers,
}

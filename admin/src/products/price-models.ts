import { useQuery } from '@tanstack/react-query'
import { useSession } from '../session/session.ts'
import { money } from '../words/format.ts'
import { type Price, pricesQuery, useCreatePrice } from './queries.ts'

type Cents = { currency: string; price: number }

/** The price model that has exactly these amounts: a second one would be no other price. */
export function findSame(prices: Iterable<Price>, amounts: readonly Cents[]): Price | undefined {
  const key = (list: readonly Cents[]) =>
    list
      .map(({ currency, price }) => `${currency.toLowerCase()} ${price}`)
      .sort()
      .join()
  return [...prices].find((price) => price.valid === 1 && key(price.currencies) === key(amounts))
}

/** Finds the price model of an amount in the currency of the shop, or makes it. Nothing costs nothing, without a model. */
export function usePriceModels() {
  const { currency } = useSession()
  const prices = useQuery(pricesQuery)
  const create = useCreatePrice()
  return {
    isKnown: prices.data !== undefined,
    /** The amount of a model in the currency of the shop; undefined if it has none. */
    centsOf: (id: number | null): number | undefined => {
      if (id === null) return 0
      const amounts = prices.data?.get(id)?.currencies ?? []
      return amounts.find((each) => each.currency.toUpperCase() === currency)?.price
    },
    idOf: async (cents: number): Promise<number | null> => {
      if (cents === 0) return null
      const amounts = [{ currency: currency.toLowerCase(), price: cents }]
      const same = findSame(prices.data?.values() ?? [], amounts)
      return (same ?? (await create.mutateAsync({ title: money(cents, currency), currencies: amounts }))).id
    },
  }
}

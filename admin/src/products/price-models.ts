import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useSession } from '../session/session.ts'
import { FieldsError } from '../ui/problem.tsx'
import { centsIn, money } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Amount, Offer } from './draft.ts'
import { createPrice, type Price, pricesQuery, useCreatePrice } from './queries.ts'

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

const centsOf = (amounts: readonly Amount[]): Cents[] =>
  amounts.flatMap(({ currency, typed }) => {
    const price = centsIn(typed)
    return price === undefined ? [] : [{ currency: currency.toLowerCase(), price }]
  })

/** Typed amounts as people read them; those that are none are left out. */
export const amountsText = (amounts: readonly Amount[]) =>
  centsOf(amounts)
    .map(({ currency, price }) => money(price, currency.toUpperCase()))
    .join(' · ')

export const isBlank = (amounts: readonly Amount[]) => amounts.every(({ typed }) => typed.trim() === '')

/** Is one of the amounts no amount? Nothing at all is an offer without a price. */
const isWrong = (amounts: readonly Amount[]) => !isBlank(amounts) && centsOf(amounts).length < amounts.length

/** Gives offers whose price was typed the price model that has these amounts; one that is new is made. */
export async function withPriceModels(client: QueryClient, offers: readonly Offer[]): Promise<Offer[]> {
  const wrong = offers.flatMap(({ amounts }, place) =>
    amounts !== undefined && isWrong(amounts) ? [`price_license_binding[${place}].price_id`] : [],
  )
  if (wrong.length > 0)
    throw new FieldsError(Object.fromEntries(wrong.map((path) => [path, [t('offers.amount_wrong')]])))
  const prices = await client.ensureQueryData(pricesQuery)
  const known = [...prices.values()]
  const priced: Offer[] = []
  for (const { amounts, ...offer } of offers) {
    if (amounts === undefined || isBlank(amounts)) {
      priced.push(offer)
      continue
    }
    const currencies = centsOf(amounts)
    const price = findSame(known, currencies) ?? (await createPrice({ title: amountsText(amounts), currencies }))
    known.push(price)
    priced.push({ ...offer, price_id: price.id })
  }
  if (priced.some(({ price_id }) => price_id != null && !prices.has(price_id)))
    await client.invalidateQueries({ queryKey: pricesQuery.queryKey })
  return priced
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

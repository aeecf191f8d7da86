import { asciiJson, wireTime } from '#platform/wire.ts'

/** So many of a product for one line; negative: they come back. */
export type Taking = { company_id: number; id: number; quantity: number; line: number }

type Stock = { stock: number; floor: number }

export function levelAfter({ stock }: Pick<Stock, 'stock'>, takings: readonly Taking[]): number {
  return takings.reduce((left, { quantity }) => left - quantity, stock)
}

/** Why so many can't be taken, in a few words; undefined: they can. */
export function objectionToTaking({ stock, floor }: Stock, takings: readonly Taking[]): string | undefined {
  if (levelAfter({ stock }, takings) >= floor) return undefined
  const left = Math.max(0, stock - floor)
  return left === 0 ? 'is more than there is: it is sold out' : `is more than there is: ${left} left in stock`
}

/** The stored document of a product with another stock: nothing else of it has changed. */
export function withStock(document: string, stock: number, now: Date): string {
  return asciiJson({ ...JSON.parse(document), items_in_stock: stock, updated_at: wireTime(now) })
}

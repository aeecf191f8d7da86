/** What became of a request that changes something, as its client knows it. */
export type Fate = 'done' | 'refused' | 'unknown'

/** An order that a client has asked for; `mark` is written into it and tells it from all others. */
export type AskedOrder = {
  mark: string
  way: 'api' | 'checkout'
  fate: Fate
  product_id: string
  pieces: number
  /** The payment that the guest has made at the gateway. */
  charge?: string
}

/** What the load has asked for and was told, kept apart from the service. */
export type Ledger = {
  orders: AskedOrder[]
  /** Uses of entitlements, by how sure it is that they were counted. */
  uses: Record<Fate, number>
}

export function createLedger(): Ledger {
  return { orders: [], uses: { done: 0, refused: 0, unknown: 0 } }
}

const UNAVAILABLE = 503

/** Nobody knows what became of a request without an answer, or of one that failed while it was carried out. */
export function fateOf(status: number | undefined): Fate {
  if (status === undefined || (status >= 500 && status !== UNAVAILABLE)) return 'unknown'
  return status < 400 ? 'done' : 'refused'
}

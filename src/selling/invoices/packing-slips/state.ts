/** A thing to pack. */
export type PackedLine = {
  title: string
  /** The number on the thing, or that of the product. */
  number: string
  quantity: number
}

/** Everything that a packing slip says: who sends what to whom. It names no prices, because it may be a present. */
export type PackingSlip = {
  orderId: number
  orderedAt: string
  poNumber: string
  /** That of the customer. */
  language: string
  sender: string[]
  recipient: string[]
  /** Where it goes, as a two-letter code. */
  country: string
  /** How it is shipped; empty if nothing is known of it. */
  method: string
  lines: PackedLine[]
}

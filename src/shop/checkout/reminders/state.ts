import type { LeftCart } from '../abandoned/state.ts'

/** A cart whose customer may want to hear of it. */
export type CartToRemind = LeftCart & {
  customer_id: number | null
  /** The language of the shop in which it was filled; empty: nobody knows. */
  language: string
}

/** Whom a reminder goes to. */
export type Reminded = { email: string; name: string; language: string }

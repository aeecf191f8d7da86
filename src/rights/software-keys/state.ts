import type { EntitlementState } from '#rights/entitlements/state.ts'

/** The keys that a company has imported for a product. */
export type KeyList = {
  company_id: number
  product_key: number
  left_count: number
  given_count: number
  /** How many were left after the last import. */
  full_count: number
  warned: Warning | 'none'
}

export type Warning = 'low' | 'empty'

/** A key that an entitlement has, or had. */
export type GivenKey = {
  company_id: number
  id: number
  /** As it is shown. */
  key: string
  entitlement_company_id: number
  entitlement_id: number
  given_at: Date
  /** When another key replaced it. */
  ended_at: Date | null
}

/** A program that is activated on a device. */
export type ActivationState = { fingerprint: string; name: string; activated_at: Date }

/** The key of an entitlement with its activations. */
export type SoftwareKeyState = {
  entitlement: EntitlementState
  /** Null if the entitlement has no key yet. */
  key: string | null
  given_at: Date | null
  activations: ActivationState[]
}

/** A key of a product, with the customer of the company who has it. */
export type ListedKeyState = {
  id: number
  key: string
  imported: boolean
  entitlement_id: number | null
  customer_token: string | null
  given_at: Date | null
  ended_at: Date | null
  created_at: Date
}

/** How many keys a product has, with its names and those who wait. */
export type KeyStockState = KeyList & { id: number; product_id: string; title: string; waiting: number }

export type Import = { imported: number; duplicates: string[]; list: Pick<KeyList, 'left_count' | 'given_count'> }

/** The request of a program that has no connection. */
export type OfflineRequest = { fingerprint: string; nonce: string; name: string }

/** A program that asks with its key. */
export type Asked = {
  key: string
  fingerprint: string
  name: string
  client_time: Date | null
  /** Null: the program has a connection, and needs no signed answer. */
  nonce: string | null
}

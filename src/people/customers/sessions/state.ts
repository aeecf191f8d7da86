/** A customer who is signed in to a shop, in one browser. */
export type CustomerSession = {
  companyId: number
  themeSettingId: number
  customerId: number
  /** The orders of a guest who has not proved the address; null for a customer who has. */
  orderIds: readonly number[] | null
  /** Identifies the session without granting access to it. */
  key: string
  /** The key of the session that it comes from, if that was at another host of the shop; otherwise its own. */
  firstKey: string
  /** Is or was the customer in a group of the company? */
  isInGroup: boolean
  createdAt: Date
  seenAt: Date
}

/** The signed-in customer, as the company knows them. */
export type SignedInCustomer = {
  id: number
  token: string
  email: string
  language: string
  first_name: string
  last_name: string
  /** The two-letter code of the default address; empty if there is none. */
  country: string
}

/** A line of a cart: which product, under which offer, and how many. */
export type CartLine = {
  product_id: string
  license_id: number | null
  hd: boolean | null
  audio_type: number | null
  num_users: number | null
  /** The product that was chosen of a variation. */
  chosen_product_id: string | null
  quantity: number
  /** The rental that the purchase keeps for good. */
  keeps?: number
}

/** What a customer has entered at checkout so far; fields that were not asked for are empty. */
export type CheckoutDetails = {
  email: string
  first_name: string
  last_name: string
  company: string
  vat_id: string
  /** Of a business; carts from before it was asked have none. */
  po_number?: string
  address1: string
  address2: string
  zip: string
  city: string
  province: string
  country: string
  phone: string
  accepts_marketing: boolean
  shipping_method: string
  is_gift: boolean
  gift_email: string
  gift_name: string
  /** Who gives it; carts from before it was asked have none. */
  gift_from?: string
  gift_message: string
  /** The day on which the gift is mailed, `YYYY-MM-DD`; empty: at once. */
  gift_day: string
  /** The order that was placed last, as its page is addressed; so a second press of the button leads to it. */
  placed: string
  /** The order of the plan that was signed up to last, in the same way; carts from before there were plans have none. */
  joined?: string
}

/** Who fills a cart: a customer, or the guest with this token in a cookie. */
export type Shopper = {
  companyId: number
  shopId: number
  customerId: number | undefined
  token: string | undefined
  /** Absent where nobody knows. */
  place?: ShopperPlace
}

/** Where a shopper is, and in which language and currency the shop is shown. */
export type ShopperPlace = { country: string; currency: string; language: string }

export type CartState = {
  id: number
  customer_id: number | null
  lines: CartLine[]
  discount_code: string
  details: CheckoutDetails
  /** Was it counted as abandoned since its last touch? */
  is_counted: boolean
}

export type Contents = Pick<CartState, 'lines' | 'discount_code' | 'details'>

/** The first page of a visit, and what led there; empty texts where that is not known. */
export type Landing = { path: string; campaign: string; referrer_host: string }

/** Where a customer goes next: to the page of the order, or to the page of the gateway. */
export type PaymentStep = { order: string; leaves: boolean; sessionToken: string | undefined }

import type { CustomerDocument } from '#selling/invoices/site.ts'
import type { NamedCountry } from '#shop/site/countries.rules.ts'
import type { NextStep, Parcel } from './next.queries.ts'
import type { ShownLine, UnpaidOrder } from './pages.queries.ts'
import type { Joined } from './plans/joined.queries.ts'
import type { CheckoutDetails } from './state.ts'
import type { Summary } from './summary.present.ts'

/** The discount code of a cart. */
type CodeEntry = {
  /** The discount code that was typed; empty for none. */
  discount_code: string
  /** Is the discount code of no use for this cart? */
  is_code_refused: boolean
}

/** How an order can be paid. */
type PaymentChoice = {
  /** The ways to pay that the shop offers. */
  gateways: {
    /** The key of its texts below `checkout.gateways`. */
    name: string
    /** How a bill is paid, in the words of the owner. */
    instructions: string
    /** Does it only try payments? */
    is_test: boolean
  }[]
  /** The name of the chosen way to pay. */
  chosen: string | undefined
  /** The number of the test card that was typed. */
  card: string
  /** Why the order was not placed or paid, as the last part of a key below `checkout.errors`. */
  error: string | undefined
}

export type CartPage = CodeEntry & {
  lines: ShownLine[]
  /** The order that the cart would become; nothing if nothing in it can be bought. */
  summary: Summary | undefined
  country_name: string
  can_check_out: boolean
  /** Were there too many wrong discount codes? */
  is_code_limited: boolean
  /** Was something not put into the cart? */
  is_refused: boolean
  /** Why nothing can be bought. */
  obstacle: 'place' | 'size' | undefined
  /** The two-letter code of the country that prices are for. */
  country: string
  /** All countries, by their names. */
  countries: readonly NamedCountry[]
  /** The order that the cart became, if its payment came to nothing. */
  unpaid: UnpaidOrder | undefined
}

export type CartRestorePage = {
  lines: ShownLine[]
  summary: Summary | undefined
  /** The secret of the mailed link, for the address of the form. */
  token: string
}

export type CheckoutPage = CodeEntry & {
  summary: Summary | undefined
  /** What was typed so far. */
  form: CheckoutDetails
  countries: readonly NamedCountry[]
  country_name: string
  /** Is something in the cart shipped? */
  needs_address: boolean
  /** Do addresses in the chosen country have a postal code? */
  needs_zip: boolean
  /** The ways to ship, and their prices in cents. */
  shipping_methods: readonly { title: string; price: number }[]
  can_be_gift: boolean
  /** What is wrong with each field, as the last part of a key below `checkout.errors`. */
  mistakes: Record<string, string>
  is_wrong: boolean
  /** The field that gets the cursor. */
  first_mistake: string | undefined
}

export type CheckoutPayPage = CodeEntry &
  PaymentChoice & {
    summary: Summary | undefined
    /** Which cart is shown. The form sends it back, so that nothing else is sold. */
    cart_version: string
    email: string
    country_name: string
    /** The address in one line, if something is shipped. */
    ships_to: string | undefined
    /** Whom the order is a gift for, if it is one. */
    gift_to: string | undefined
    /** Has the customer to choose whether digital content starts at once? */
    needs_consent: boolean
    /** What the customer agrees to if it does. */
    consent_text: string
    consented: boolean
    /** When it starts otherwise. */
    usable_from: Date
    /** Can what is wrong be mended in the cart? */
    is_cart_wrong: boolean
  }

export type OrderPage = PaymentChoice & {
  order: {
    id: number
    /** The number of the order, such as `#1000`. */
    name: string
    /** The last part of the address of this page. */
    token: string
    email: string
    /** Where the order stands for its customer. */
    state: 'paid' | 'waiting' | 'cancelled' | 'unpaid'
    is_test: boolean
    has_goods: boolean
    has_content: boolean
    is_gift: boolean
    /** When digital content can be used, if it waits for the end of the withdrawal period. */
    usable_from: string | undefined
    /** Until when an order that is not paid is kept. */
    kept_until: Date | undefined
    ends_soon: boolean
    /** How a bill is paid, in the words of the owner. */
    instructions: string | undefined
  }
  summary: Summary
  /** What the customer can do at once with what was bought. */
  next: NextStep | undefined
  /** The goods of the order on their way. */
  parcel: Parcel | undefined
  /** The membership that the order is a period of. */
  joined: Joined | undefined
  /** Does the test gateway ask for a second step? */
  is_second_step: boolean
  /** The invoices and credit notes of the order. */
  documents: CustomerDocument[]
  /** Has the customer no password yet? */
  is_guest: boolean
}

export type ContinuePage = {
  /** The page of the gateway. */
  url: string
}

declare module '#shop/site/pages.site.ts' {
  interface ShopPages {
    /** The cart. */
    cart: CartPage
    /** A cart that a mailed link leads back to. */
    'cart-restore': CartRestorePage
    /** The first step of the checkout: who the customer is. */
    checkout: CheckoutPage
    /** The second step of the checkout: how the customer pays. */
    'checkout-pay': CheckoutPayPage
    /** An order that was placed. */
    order: OrderPage
    /** Leads to the page of a gateway. */
    continue: ContinuePage
  }
}

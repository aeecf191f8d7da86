/** The address and the user agent recognise a visitor within a day. Neither of them is stored. */
export type Browser = { address: string; userAgent: string }

/** A page of a shop that was shown, as it is kept in memory until it is written. */
export type PageView = Browser & {
  companyId: number
  shopId: number
  at: Date
  /** The path below the shop, without the secrets of private pages. */
  path: string
  /** The name of the campaign or site in the address; empty: none. */
  campaign: string
  /** The host of the page with the link; empty: unknown, or a page of the shop itself. */
  referrerHost: string
  /** The country that the browser's language names; empty: none. */
  country: string
  language: string
}

export type Device = 'phone' | 'tablet' | 'desktop' | 'unknown'

/** The views that are written together. */
export type Batch = { id: string; views: PageView[]; tries: number }

/** The traffic of a company on one day. */
export type Traffic = {
  visits: number
  page_views: number
  visitors: number
  repeating_visitors: number
  /** The visits of programs, which the other counts leave out. */
  bots: number
  /** The visits of a single page. */
  bounces: number
}

/** A day of a company. */
export type Day = { companyId: number; day: string }

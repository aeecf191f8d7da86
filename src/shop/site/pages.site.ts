import type { SafeHtml } from '#platform/text/safe-html.ts'

/** What the layout is told of a page. */
export type ShopPage = {
  title?: string
  /** The key of a text of the theme, for pages whose title does not come from the shop owner. */
  title_key?: string
  description?: string
  /** For search engines, separated by commas. */
  keywords?: string
  /** The picture of the page in links to it. */
  image?: string | undefined
  /** The address under which search engines know the page. */
  canonical?: string
  /** What the page is about, for pages that link to it, such as `product`. */
  type?: string
  /** What the page says to search engines. */
  json_ld?: SafeHtml
  /** Pages that are about one visitor are not for search engines. */
  is_private?: boolean
  /** Is it one of the many ways to see a page that search engines know already? */
  is_unlisted?: boolean
  /** Does the page show a form again, with what is wrong in it? */
  has_error?: boolean
  /** Does the page have a bar at its lower end, on which the product is bought? */
  has_bar?: boolean
  /** Is it a step to a paid order? Nothing leads away from these. */
  is_checkout?: boolean
  /** Can the page be installed as an app? */
  is_app?: boolean
  /** Does it fill the screen, without header and footer of the shop? */
  is_full?: boolean
}

/** The page of a failure. */
export type ProblemPage = {
  problem: {
    /** The status of the answer, such as 429. */
    status: number
    /** What went wrong, in English. */
    message: string
    /** What a visitor who asks for help can pass on. */
    request_id: string
  }
}

/** A page that says one thing. */
export type PlainPage = {
  /** The key of the heading. */
  heading_key: string
  /** The key of the text. */
  text_key: string
}

export type TextPage = {
  /** What the owner has written, and in which language. */
  text: { language: string; html: SafeHtml }
}

/** A page of which the visitor and the shop decide everything. */
export type BarePage = Record<never, never>

/** The values of a page that shows a form, after a form that was refused. */
export type RefusedForm = {
  /** What is wrong with each field, as the key of a text. */
  errors?: Record<string, string>
  /** What is wrong with the whole form, as the key of a text. */
  alarm?: string
  /** The minutes to wait before the next try, if there were too many. */
  minutes?: number
}

/**
 * The values of every template, by its name. Each room adds those of its own pages to it, in a `pages.site.ts` beside the
 * routes that show them. docs/themes.md is generated from it.
 */
export interface ShopPages {
  /** There is nothing at this address. */
  'not-found': ProblemPage
  /** Something went wrong. */
  problem: ProblemPage
  /** The shop is closed. */
  offline: BarePage
  /** The app of the shop was opened without a connection. */
  'no-connection': BarePage
  /** Says one thing, for example that a form has arrived. */
  page: PlainPage
  /** A legal text of the shop. */
  text: TextPage
}

export type ShopTemplate = keyof ShopPages

/** The values of a template. `page` is for the layout: the title, as a text or as the key of one, and the rest. */
export type ShopModel<Template extends ShopTemplate> = ShopPages[Template] & { page?: ShopPage }

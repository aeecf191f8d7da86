/** What a content file of a product is, as a number of the API. */
const SOLD = 1
const TRAILER = 2
const SAMPLE = 7
const TRIAL = 10

export const CONTENT_TYPES = [SOLD, TRAILER, SAMPLE, TRIAL] as const
export type ContentType = (typeof CONTENT_TYPES)[number]

/** The roles of content files that need no purchase. */
const FREE: ReadonlyMap<string, ContentType> = new Map([
  ['trailer', TRAILER],
  ['preview', SAMPLE],
  ['trial', TRIAL],
])

export function contentTypeOf(role: string): ContentType {
  return FREE.get(role) ?? SOLD
}

/** The roles of the files that are the product itself. */
const MAIN_ROLES: ReadonlySet<string> = new Set(['main_hd', 'main_sd'])

export function isMainFile(role: string): boolean {
  return MAIN_ROLES.has(role)
}

/** Does everybody get files of this role, as long as the product is shown and allows it? */
export function isFree(role: string): boolean {
  return FREE.has(role)
}

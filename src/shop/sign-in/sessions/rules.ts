import { passwordFault } from '#identity/users/rules.ts'
import { hostName } from '#platform/wire/own-address.ts'
import { EMAIL_MAX, EMAIL_PATTERN, NAME_MAX } from '#platform/wire/schema.ts'

/** The errors of a form: for each field the key of a text of the theme. */
export type FormErrors = Record<string, string>

const EMAIL = new RegExp(EMAIL_PATTERN, 'u')

export function isEmail(text: string): boolean {
  return [...text].length <= EMAIL_MAX && EMAIL.test(text)
}

/** The errors of an email address. */
export function emailErrors(email: string): FormErrors {
  return isEmail(email) ? {} : { email: 'login.errors.email' }
}

/** The errors of a new password. It is typed once, because the page can show it. */
export function passwordErrors(password: string, field = 'password'): FormErrors {
  return passwordFault(password) === undefined ? {} : { [field]: 'login.errors.password_length' }
}

/** Names may be empty: a shop that sells files need not know them. */
export function nameErrors(names: Record<string, string>): FormErrors {
  return Object.fromEntries(
    Object.entries(names)
      .filter(([, name]) => [...name].length > NAME_MAX || name.includes('\0'))
      .map(([field]) => [field, 'login.errors.name']),
  )
}

export function hasErrors(errors: FormErrors): boolean {
  return Object.keys(errors).length > 0
}

/** Where a guest signs in to see a page. A link of a mail about an order also says whom it was mailed to. */
export function signInPath(base: string, page: string): string {
  const token = new URLSearchParams(page.split('?')[1]).get('token') ?? ''
  return `${base}/login?${new URLSearchParams({ return_to: page, ...(token === '' ? {} : { token }) })}`
}

/** A link that signs in keeps the shop that it is for, and the page to return to. */
export function linkQuery(shopId: number, returnTo: string): string {
  return new URLSearchParams({ shop: String(shopId), return_to: returnTo }).toString()
}

/** The page to return to; undefined if the link is for another shop, or for an app. */
export function readLinkQuery(query: string, shopId: number): { returnTo: string } | undefined {
  const values = new URLSearchParams(query)
  return values.get('shop') === String(shopId) ? { returnTo: values.get('return_to') ?? '' } : undefined
}

/**
 * The address of a shop for links in mails. On the service's own host it is that of the settings, because anybody can send
 * a request with another host; a host of the shop was found in the database.
 */
export function shopAddress(base: string, host: string, baseUrl: string): string {
  if (base !== '') return `${baseUrl}${base}`
  const { protocol, port } = new URL(baseUrl)
  return `${protocol}//${hostName(host)}${port === '' ? '' : `:${port}`}`
}

import { type Form, formsOf, linksOf } from './forms.ts'
import type { Answer, FuzzRequest, Step } from './group.ts'

export type Page = { path: string; status: number; forms: Form[]; links: string[] }

/** A browser without script: it keeps cookies, and knows what is on its page and where the last answer leads. */
export type Browser = {
  readonly cookies: Map<string, string>
  page: Page | undefined
  location: string | undefined
  open(path: string): Step
  /** Sends a body to an address, as a form of a page does. */
  send(path: string, body: Buffer, headers: Record<string, string>): Step
}

/** More than any page of a shop has. */
const READ_MAX = 200_000
const LINKS_MAX = 60

export function createBrowser(headers: Record<string, string>): Browser {
  const cookies = new Map<string, string>()
  const step = (request: FuzzRequest): Step => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const own = { ...headers, ...(cookie === '' ? {} : { cookie }) }
    return { request: { ...request, headers: { ...own, ...request.headers } }, take: (answer) => take(request, answer) }
  }
  const browser: Browser = {
    cookies,
    page: undefined,
    location: undefined,
    open: (path) => step({ method: 'GET', path, headers: { accept: 'text/html' } }),
    send: (path, body, more) => step({ method: 'POST', path, headers: { accept: 'text/html', ...more }, body }),
  }

  function take({ path }: FuzzRequest, { status, headers: received, text }: Answer): void {
    for (const line of received.getSetCookie()) keepCookie(cookies, line)
    const location = received.get('location')
    browser.location = location === null ? undefined : pathIn(location)
    if (location !== null || !received.get('content-type')?.startsWith('text/html')) return
    const html = text.slice(0, READ_MAX)
    browser.page = { path, status, forms: formsOf(html), links: linksOf(html).slice(0, LINKS_MAX) }
  }
  return browser
}

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';')
  const at = pair.indexOf('=')
  const name = pair.slice(0, at)
  if (attributes.some((attribute) => /Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(attribute))) cookies.delete(name)
  else cookies.set(name, pair.slice(at + 1))
}

/** The path of an address; undefined if it is none. */
function pathIn(location: string): string | undefined {
  const url = URL.parse(location, 'http://own.invalid')
  return url === null ? undefined : `${url.pathname}${url.search}`
}

import type { Random } from '#demo/random.ts'
import { csrfTokenOn, visit } from '#test/visitor.ts'
import { hostileText } from './hostile.ts'
import type { FuzzRequest, Maker } from './requests.ts'

/** The cookies of a browser, and the CSRF token of its forms. */
export type FormVisitor = { cookie: string; csrf: string }
export type Visitors = { list: FormVisitor[] }

/** The forms on pages, which the OpenAPI document does not describe. */
const FORMS: [string, string[]][] = [
  ['/sign-in', ['email', 'password', 'return_to']],
  ['/sign-in/second-factor', ['code', 'kind', 'return_to']],
  ['/sign-out', ['return_to']],
  ['/reset', ['email']],
  ['/reset/x', ['password', 'password_confirmation']],
  ['/invitation/x', ['first_name', 'last_name', 'password', 'password_confirmation']],
  [
    '/first-run/x',
    ['company_name', 'country', 'email', 'first_name', 'last_name', 'password', 'password_confirmation'],
  ],
  ['/customer/x', ['password', 'password_confirmation']],
  ['/account', ['change', 'current_password', 'password', 'password_confirmation']],
  ['/account/second-factor', ['change', 'step', 'code', 'current_password']],
  ['/account/apps', ['app']],
  ['/account/activity', []],
  ['/oauth2/auth?client_id=x&redirect_uri=x', ['decision', 'company']],
]

const PLAUSIBLE: Record<string, string[]> = {
  email: ['jane@example.com', 'fuzz@example.com'],
  change: ['confirm', 'prepare'],
  step: ['off', 'renew'],
  kind: ['recovery', ''],
  decision: ['allow', 'deny'],
  return_to: ['/account', '//example.com', '/\\example.com'],
}

function fieldValue(random: Random, name: string): string {
  const plausible = PLAUSIBLE[name]
  if (plausible !== undefined && random.often(0.6)) return random.pick(plausible)
  if (random.often(0.05)) return random.pick(['\u0315\u0300', 'a', ' ', '\0', '@']).repeat(20_000)
  return hostileText(random)
}

/** A page, or a form with its fields: some missing, some repeated, some of any size. */
export function formRequest({ random, visitors }: Pick<Maker, 'random' | 'visitors'>): FuzzRequest {
  const [path, names] = random.pick(FORMS)
  const visitor = random.pick(visitors.list)
  const headers: Record<string, string> = { cookie: visitor.cookie, accept: 'text/html' }
  if (random.often(0.2)) return { method: 'GET', path, headers }
  const pairs = names.filter(() => random.often(0.9)).map((name) => [name, fieldValue(random, name).toWellFormed()])
  if (random.often(0.95)) pairs.push(['_csrf', visitor.csrf])
  if (random.often(0.03)) pairs.push(pairs[0] ?? ['a', 'b'])
  if (random.often(0.03)) pairs.push(['extra', hostileText(random).toWellFormed()])
  headers['content-type'] = random.often(0.03) ? 'application/json' : 'application/x-www-form-urlencoded'
  return { method: 'POST', path, headers, body: Buffer.from(new URLSearchParams(pairs).toString()) }
}

/** A browser that has opened the sign-in page, and has signed in if an account is given. */
export async function createVisitor(url: string, account?: { email: string; password: string }): Promise<FormVisitor> {
  const visitor = visit(url)
  let page = await visitor.get('/sign-in')
  if (account !== undefined) {
    await visitor.submit('/sign-in', account)
    page = await visitor.get('/account')
  }
  return { cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '), csrf: csrfTokenOn(page) }
}

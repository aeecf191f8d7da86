import type { Random } from '#program/demo/random.ts'
import type { CreateGroup, FuzzRequest } from '../group.ts'
import { hostileText } from '../hostile.ts'
import type { SignedIn } from '../scene.ts'

/** The forms of users, which the OpenAPI document does not describe. */
const FORMS: [string, string[]][] = [
  ['/sign-in', ['email', 'password', 'return_to']],
  ['/sign-in/second-factor', ['code', 'kind', 'return_to']],
  ['/sign-out', ['return_to']],
  ['/reset', ['email']],
  ['/reset/x', ['password', 'password_confirmation']],
  ['/invitation/x', ['first_name', 'last_name', 'password', 'password_confirmation']],
  ['/first-run/x', ['company_name', 'country', 'currency', 'email', 'password', 'password_confirmation']],
  ['/customer/x', ['password', 'password_confirmation']],
  ['/oauth2/auth?client_id=x&redirect_uri=x', ['decision', 'company']],
]

const PLAUSIBLE: Record<string, string[]> = {
  email: ['jane@example.com', 'fuzz@example.com'],
  kind: ['recovery', ''],
  decision: ['allow', 'deny'],
  return_to: ['/admin', '//example.com', '/\\example.com'],
}

function fieldValue(random: Random, name: string): string {
  const plausible = PLAUSIBLE[name]
  if (plausible !== undefined && random.often(0.6)) return random.pick(plausible)
  if (random.often(0.05)) return random.pick(['\u0315\u0300', 'a', ' ', '\0', '@']).repeat(20_000)
  return hostileText(random)
}

/** A page, or a form with its fields: some missing, some repeated, some of any size. */
function formRequest(random: Random, visitor: SignedIn): FuzzRequest {
  let [path, names] = random.pick(FORMS)
  // Who has signed out reaches little until the next sign-in.
  if (path === '/sign-out' && random.often(0.9)) [path, names] = ['/reset', ['email']]
  const headers: Record<string, string> = { cookie: visitor.cookie, accept: 'text/html' }
  // Sign-ins are limited by address.
  headers['x-forwarded-for'] = `10.1.${random.below(256)}.${random.below(256)}`
  if (random.often(0.2)) return { method: 'GET', path, headers }
  const pairs = names.filter(() => random.often(0.9)).map((name) => [name, fieldValue(random, name).toWellFormed()])
  if (random.often(0.95)) pairs.push(['_csrf', visitor.csrf])
  if (random.often(0.03)) pairs.push(pairs[0] ?? ['a', 'b'])
  if (random.often(0.03)) pairs.push(['extra', hostileText(random).toWellFormed()])
  headers['content-type'] = random.often(0.03) ? 'application/json' : 'application/x-www-form-urlencoded'
  return { method: 'POST', path, headers, body: Buffer.from(new URLSearchParams(pairs).toString()) }
}

/** The pages on which users sign in, with the CSRF token of a real page. */
export const userPages: CreateGroup = ({ scene, random }) => ({
  name: 'user pages',
  share: 6,
  next: () => ({ request: formRequest(random, random.pick(scene.users)) }),
  proofs: {
    'a page was shown': ({ method }, { status }) => method === 'GET' && status === 200,
    'a form was refused for its values': ({ method }, { status }) => method === 'POST' && status === 422,
    'a form was accepted': ({ method }, { status }) => method === 'POST' && (status === 303 || status === 200),
  },
})

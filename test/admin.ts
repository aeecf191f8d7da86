import type { Answer, Service, Shop } from './harness.ts'
import { signedIn } from './people.ts'
import type { Visitor } from './visitor.ts'

type Headers = Record<string, string>

/** A page of the service, in the browser of a signed-in user. */
export type AdminPage = {
  call(method: string, path: string, body?: unknown, headers?: Headers): Promise<Answer>
  get(path: string): Promise<Answer>
  post(path: string, body: unknown): Promise<Answer>
  put(path: string, body: unknown): Promise<Answer>
  delete(path: string): Promise<Answer>
}

/** Calls the endpoints below /admin/api as a script of our own page does. `headers` replace the ones of the browser. */
export function adminPage(service: Service, visitor: Visitor): AdminPage {
  const call: AdminPage['call'] = (method, path, body, headers = { origin: service.url }) => {
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return service.call(method, `/admin/api${path}`, { body, headers: { cookie, ...headers } })
  }
  return {
    call,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    delete: (path) => call('DELETE', path),
  }
}

/** The admin page of a shop's first user, who may do everything. */
export async function ownerPage(service: Service, shop: Shop): Promise<AdminPage> {
  return adminPage(service, await signedIn(service, shop))
}

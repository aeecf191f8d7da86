import { createClient } from '@licet/client'

/** The company whose data this tab shows, once it is known. */
let shownCompany: number | undefined

export function showCompany(id: number): void {
  shownCompany = id
}

/** Says in each request which company it is about: the user may have gone on to another one in another tab. */
export function companyHeader(): Record<string, string> {
  return shownCompany === undefined ? {} : { 'licet-company': String(shownCompany) }
}

/** The API as the signed-in user. The cookie of the session goes along; the page holds no token. */
export const api = createClient({
  baseUrl: location.origin,
  session: true,
  maxRetries: 1,
  fetch: (input, init) => fetch(input, { ...init, headers: { ...Object(init?.headers), ...companyHeader() } }),
})

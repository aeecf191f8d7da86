import type { FastifyRequest } from 'fastify'
import type { ShopVisit } from '../state.ts'

/** A page that is shown, perhaps to many visitors. `isPrivate`: it is about one of them. */
export type ShownPage = { url: string; route: string; acceptLanguage: string; visit: ShopVisit; isPrivate: boolean }

/** Somebody to whom a page is shown. */
export type Viewer = Pick<FastifyRequest, 'headers' | 'ip' | 'host'>

/** Makes the function that is told of every visitor to whom a page is shown, for the statistics. */
export type CountViews = (shown: ShownPage) => (viewer: Viewer) => void

export const routeOf = ({ routeOptions }: FastifyRequest): string => routeOptions.url ?? '/'

const nobody = () => {}

/** Makes the function that counts the views of the page that answers a request. */
export function countViewsOf(count: CountViews | undefined, request: FastifyRequest, isPrivate = false) {
  const { url, visit, method, headers } = request
  if (count === undefined || method !== 'GET' || visit.isPreview || visit.draft !== undefined) return nobody
  return count({ url, route: routeOf(request), acceptLanguage: headers['accept-language'] ?? '', visit, isPrivate })
}

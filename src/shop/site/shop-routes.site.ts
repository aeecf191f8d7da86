import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifySchema,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteOptions,
} from 'fastify'

type ShopHandler<Route extends RouteGenericInterface> = RouteOptions<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  Route
>['handler']

/**
 * Adds routes of shops, each written once: `/account` is `/account` on the hosts of shops and `/shop/{id}/account` on the
 * service's own host. Reading a page is refused first when there is too much to do, unless the room says otherwise.
 */
export function shopRoutes(app: FastifyInstance, { priority }: Pick<FastifyContextConfig, 'priority'> = {}) {
  const add =
    (method: 'GET' | 'POST') =>
    <Route extends RouteGenericInterface = RouteGenericInterface>(
      path: string,
      schema: FastifySchema,
      handler: ShopHandler<Route>,
    ): void => {
      const places = [
        { url: path, site: 'other' },
        { url: `/shop/:shop${path}`, site: 'own' },
        ...(path === '/' ? [{ url: '/shop/:shop', site: 'own' }] : []),
      ]
      for (const { url, site } of places)
        app.route<Route>({
          method,
          url,
          constraints: { site },
          config: priority === undefined ? { public: true } : { public: true, priority },
          schema: { hide: true, ...schema },
          handler,
        })
    }
  return { get: add('GET'), post: add('POST') }
}

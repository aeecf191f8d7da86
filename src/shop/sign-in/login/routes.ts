import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { customerTokenOf, keepCustomer } from '#people/customers/cookie.site.ts'
import { queryText } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { createSendPage } from '#platform/pages/answers.ts'
import { requireEncryption } from '#platform/pages/encryption.ts'
import { addCookies } from '#platform/pages/place-cookies.ts'
import type { PagePolicy } from '#platform/pages/policy.ts'
import { addPages } from '#platform/pages/site.ts'
import { PathPart, Text } from '#platform/wire/schema.ts'
import { createShopLogin, type ShopEntry } from './enter.commands.ts'
import { invalidLoginPage } from './views.ts'

const GONE = 410
const TOKEN_MAX = 20_000

const POLICY: PagePolicy = {
  scripts: [],
  styles: ["'self'"],
  fonts: ["'self'"],
  images: ["'self'", 'data:'],
  formActions: ["'self'"],
  frameAncestors: [],
}

const id = PathPart('Id of the theme setting. 0: the first one of the company.', ['1000'])
const Query = Type.Object({ moved: Type.Optional(Text(1, 'Set by the service itself.')) })
const page = { content: { 'text/html': { schema: Type.Unsafe({ type: 'string' }) } } }

/** A token as a part of an address. Nobody has checked it yet, so it may contain anything. */
const pathOf = (token: string) => encodeURI(token).replace(/[?#]/g, encodeURIComponent)

/** The address to which the site of a shop owner sends a customer whom it knows already. */
export const shopLoginRoutes: FastifyPluginAsyncTypebox<ResourceOptions> = async (app, { db, now, clock }) => {
  addPages(app, { policy: POLICY, strictTransport: true })
  requireEncryption(app)
  await addCookies(app)
  const enter = createShopLogin({ db, now, clock, change: app.change })

  function refuse(request: FastifyRequest, reply: FastifyReply, entry: ShopEntry & { kind: 'refused' }): FastifyReply {
    const { why, shop, place } = entry
    request.log.info({ shop: shop?.id, why }, 'login of a customer refused')
    const policy = { ...POLICY, frameAncestors: shop?.frame_origins ?? [] }
    const html = invalidLoginPage(request.headers['accept-language'] ?? '', place && `${place.base}/`)
    return createSendPage({ policy, strictTransport: true })(reply, html, { status: GONE })
  }

  async function login(request: FastifyRequest, reply: FastifyReply, shopRef: string, text: string) {
    const { 'accept-language': acceptLanguage = '', 'user-agent': userAgent = '' } = request.headers
    const entry = await enter(
      {
        shopRef,
        text,
        acceptLanguage,
        userAgent,
        host: request.host,
        baseUrl: app.baseUrl,
        address: request.ip,
        isMoved: queryText(request, 'moved') !== '',
      },
      (place) => customerTokenOf(request, place),
    )
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    if (entry.kind === 'refused') return refuse(request, reply, entry)
    if (entry.kind === 'elsewhere')
      return reply.redirect(`${entry.origin}/api/customers/login/${entry.shopId}/${pathOf(text)}?moved=1`, 303)
    const { shop, place, path, sessionToken: token } = entry
    keepCustomer(reply, { base: place.base, token, isFramed: shop.frame_origins.length > 0 })
    return reply.redirect(path, 303)
  }

  // Asking for the headers alone would use the token up too.
  const common = { config: { public: true }, exposeHeadRoute: false } as const

  app.get(
    '/customers/login/:themesettings_id/:login_token',
    {
      ...common,
      schema: {
        tags: ['Customers'],
        operationId: 'logCustomerIn',
        summary: 'Sign a customer in to a shop',
        description:
          'For browsers: the site of the shop owner makes the token, and sends the customer here. The account is created if it is missing. A token works once.',
        params: Type.Object({ themesettings_id: id, login_token: PathPart('The login token.') }),
        querystring: Query,
        response: {
          303: { description: 'The customer is signed in, and is sent to `return_to` or to My Content.', type: 'null' },
          403: { description: 'The address has to be called by https.', ...page },
          422: { description: 'A part of the address is too long, or is sent twice.', ...page },
          410: { description: 'The token is not valid, or not valid any more.', ...page },
        },
      },
    },
    async (request, reply) => login(request, reply, request.params.themesettings_id, request.params.login_token),
  )

  // A token with many addresses is longer than the router lets a part of a path be.
  app.get(
    '/customers/login/:themesettings_id/*',
    {
      ...common,
      schema: {
        hide: true,
        params: Type.Object({ themesettings_id: id, '*': Text(TOKEN_MAX, 'The login token.') }),
        querystring: Query,
      },
    },
    async (request, reply) => login(request, reply, request.params.themesettings_id, request.params['*']),
  )
}

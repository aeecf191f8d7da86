import type { FastifyInstance, FastifyPluginCallback } from 'fastify'
import { Type } from 'typebox'
import { formBody, formOf } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { PREFERENCES_COOKIE, readShopCookie, writeShopCookie } from './cookies.site.ts'
import { shopPageNotFound } from './errors.ts'
import { signUpVisitor } from './newsletter.commands.ts'
import { isCountry, languagesOf, readPreferences, returnPath, writePreferences } from './rules.ts'
import { shopRoutes } from './shop-routes.site.ts'
import { findShopPage } from './shop-texts.queries.ts'
import type { Preferences, ShopVisit } from './state.ts'

export type StorefrontOptions = Pick<ResourceOptions, 'db' | 'now'>

const NEWSLETTER_SENT = {
  heading_key: 'newsletter.sent',
  text_key: 'newsletter.sent_text',
  page: { title_key: 'newsletter.title', is_private: true },
}
const NEWSLETTER_WRONG = { ...NEWSLETTER_SENT, heading_key: 'newsletter.title', text_key: 'newsletter.wrong' }

const Named = Type.Object({ name: Type.String({ maxLength: 40 }) })
const PREFERENCES_SECONDS = 365 * 86_400

/** What every visitor of a shop can do beside looking at its catalog. */
export const storefrontRoutes: FastifyPluginCallback<StorefrontOptions> = (app, { db, now }, done) => {
  const routes = shopRoutes(app)

  routes.get('/*', {}, async () => {
    throw shopPageNotFound()
  })

  routes.post('/newsletter', { body: formBody({ email: 'line' }) }, async (request, reply) => {
    const { visit } = request
    if (!visit.shop.newsletter_enabled) throw shopPageNotFound()
    const email = formOf(request, 'email').email.trim()
    const isAsked = await app.change((tx) =>
      signUpVisitor(tx, visit, email, app.baseUrl, now(request.visit.shop.company_id)),
    )
    return isAsked ? reply.toShop('/newsletter/sent') : reply.shopPage('page', NEWSLETTER_WRONG, { status: 422 })
  })

  routes.get('/newsletter/sent', {}, async (_request, reply) => reply.shopPage('page', NEWSLETTER_SENT))

  routes.get<{ Params: { name: string } }>('/pages/:name', { params: Named }, async ({ visit, params }, reply) => {
    const { name } = params
    return reply.sharedPage('text', async () => {
      const text = await findShopPage(db, visit, name)
      if (text === undefined) throw shopPageNotFound()
      return { page: { title_key: `pages.${name}` }, text }
    })
  })

  addPreferences(app)
  done()
}

/** Lets visitors choose a language, a country and a currency. What they choose is a preference, and says nothing else. */
function addPreferences(app: FastifyInstance): void {
  const body = formBody({ language: 'word', country: 'word', currency: 'word', return_to: 'path' })
  shopRoutes(app).post('/preferences', { body }, async (request, reply) => {
    const { visit } = request
    const asked = formOf(request, 'language', 'country', 'currency', 'return_to')
    const chosen = choicesOf(visit, asked, readPreferences(readShopCookie(request, PREFERENCES_COOKIE)))
    writeShopCookie(reply, PREFERENCES_COOKIE, writePreferences(chosen), PREFERENCES_SECONDS)
    return reply.redirect(returnPath(visit.base, asked.return_to), 303)
  })
}

/** The choices after a form. What the shop does not offer changes nothing. */
function choicesOf({ shop, currencies }: ShopVisit, asked: Preferences, before: Preferences): Preferences {
  return {
    language: languagesOf(shop).includes(asked.language) ? asked.language : before.language,
    country: isCountry(asked.country) ? asked.country : before.country,
    currency: currencies.includes(asked.currency) ? asked.currency : before.currency,
  }
}

import type { FastifyInstance, FastifyPluginCallback } from 'fastify'
import { formBody, formOf } from '#platform/http/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { PREFERENCES_COOKIE, readShopCookie, writeShopCookie } from './cookies.ts'
import { shopPageNotFound } from './errors.ts'
import { isCountry, languagesOf, readPreferences, returnPath, writePreferences } from './rules.ts'
import { SHORTLY, shopRoutes } from './site.ts'
import type { Preferences, ShopVisit } from './state.ts'

export type StorefrontOptions = Pick<ResourceOptions, 'db' | 'now'>

const PREFERENCES_SECONDS = 365 * 86_400

/** The pages of shops that every visitor can see. */
export const storefrontRoutes: FastifyPluginCallback<StorefrontOptions> = (app, _options, done) => {
  const routes = shopRoutes(app)

  routes.get('/', {}, async (_request, reply) => reply.shopPage('home', {}, { caching: SHORTLY }))

  routes.get('/*', {}, async () => {
    throw shopPageNotFound()
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

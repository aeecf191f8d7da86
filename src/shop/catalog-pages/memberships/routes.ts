import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { queryText } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { shopPageNotFound } from '#shop/site/errors.ts'
import { shopOrigin } from '#shop/site/rules.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import type { ShopVisit } from '#shop/site/state.ts'
import type { Viewer } from '../cards.present.ts'
import { createRates } from '../rates.queries.ts'
import { clubModel, countryName, descriptionOf } from './club.present.ts'
import { getClub, getOpenClub, NEW, readIncluded, readReminderDays, readStanding } from './club.queries.ts'
import type { Club } from './state.ts'

const params = Type.Object({
  group: Type.String({ maxLength: 200 }),
  shop: Type.Optional(Type.String({ maxLength: 200 })),
})
const Paged = Type.Object({
  after: Type.Optional(Type.String({ maxLength: 20 })),
  gone: Type.Optional(Type.String({ maxLength: 10 })),
})
type OfGroup = { Params: { group: string } }

/** The pages of subscription groups: what is included, and the plans to sign up to. */
export const clubRoutes: FastifyPluginCallback<Pick<ResourceOptions, 'db' | 'now'>> = (app, { db, now }, done) => {
  const routes = shopRoutes(app)
  const ratesOfDay = createRates(db)
  const viewerOf = async (visit: ShopVisit): Promise<Viewer> => ({
    ...visit,
    rates: await ratesOfDay(),
    now: now(visit.shop.company_id),
  })

  // It names days from today on and says whether the visitor is a member, so that it is made for each visitor.
  async function modelOf(request: FastifyRequest, club: Club, isPreview = false) {
    const { visit } = request
    const { company_id: companyId } = visit.shop
    const after = queryText(request, 'after')
    const [viewer, included, standing, reminderDays] = await Promise.all([
      viewerOf(visit),
      readIncluded(
        db,
        visit.shop,
        club.group.group_id,
        /^\d{1,15}$/.test(after) ? Number(after) : undefined,
        now(companyId),
      ),
      isPreview ? NEW : readStanding(db, companyId, visit.customer?.id, club.group.group_id),
      readReminderDays(db, companyId),
    ])
    const model = clubModel(club, included, standing, reminderDays, { ...viewer, country: visit.country })
    const origin = shopOrigin(visit.shop, app.baseUrl)
    const image = model.wall[0]?.picture.large
    return {
      ...model,
      page: {
        title: model.club.title,
        description: descriptionOf(model.club),
        canonical: `${origin}${model.club.url.slice(visit.base.length)}`,
        image: image === undefined ? undefined : `${origin}${image}`,
        is_unlisted: after !== '',
        is_private: isPreview,
      },
      country_name: countryName(visit),
      is_plan_gone: queryText(request, 'gone') === '1',
      is_owner_preview: isPreview,
    }
  }

  routes.get<OfGroup>('/memberships/:group', { params, querystring: Paged }, async (request, reply) =>
    reply.shopPage(
      'membership',
      await modelOf(request, await getOpenClub(db, request.visit.shop.company_id, request.params.group)),
    ),
  )

  // Its own address, so that no page that is kept for customers ever has it.
  routes.get<OfGroup>('/memberships/:group/preview', { params, querystring: Paged }, async (request, reply) => {
    if (!(await app.isShopOwner(request))) throw shopPageNotFound()
    const club = await getClub(db, request.visit.shop.company_id, request.params.group)
    return reply.shopPage('membership', await modelOf(request, club, true))
  })

  done()
}

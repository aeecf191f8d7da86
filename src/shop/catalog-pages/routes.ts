import type { FastifyPluginCallback } from 'fastify'
import { Type } from 'typebox'
import { queryText } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { wordsIn } from '#platform/text/tokenize.ts'
import { SHORTLY } from '#shop/site/answers/headers.site.ts'
import { shopPageNotFound } from '#shop/site/errors.ts'
import { idIn, membershipPath, productIdIn } from '#shop/site/paths.rules.ts'
import { shopOrigin, writtenTexts } from '#shop/site/rules.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import type { ShopVisit } from '#shop/site/state.ts'
import { type Card, cardOf, categoryLink, titleFor, type Viewer } from './cards.present.ts'
import { filterFormOf, wantedOf } from './filters/present.ts'
import { readFacets, readFilteredCards } from './filters/queries.ts'
import { BOUNDS, CHOICES, filterQuery, readFilters } from './filters/rules.ts'
import { homeModel } from './home/present.ts'
import { readHome } from './home/queries.ts'
import { type Place, RELATED_MAX, readCategoryCards, readNeighbours, START } from './lists.queries.ts'
import { offersOf } from './memberships/present.ts'
import { readOfferedGroups, readRunningGroups, readShownGroups } from './memberships/queries.ts'
import { categoryModel, productModel } from './pages.present.ts'
import { findAnyProduct, findCategory, findProduct, PAGE_SIZE } from './queries.ts'
import { createRates } from './rates.queries.ts'
import { readRating } from './rating.queries.ts'
import { reviewsOf } from './reviews.present.ts'
import { findSample } from './sample.queries.ts'
import { SEARCH_START, type SearchPlace, searchCards } from './search.queries.ts'
import { readSimilar } from './similar.queries.ts'
import { sitemapOf } from './sitemap.queries.ts'
import type { CardRow } from './state.ts'

const Ref = Type.Object({ ref: Type.String({ maxLength: 200 }) })
const Word = Type.String({ maxLength: 200 })
/** A filter may be there several times, and one that is not understood is left out. */
const Filtered = {
  ...Object.fromEntries(
    CHOICES.map((name) => [name, Type.Optional(Type.Union([Word, Type.Array(Word, { maxItems: 50 })]))]),
  ),
  ...Object.fromEntries(
    [...BOUNDS, 'sort', 'after'].map((name) => [name, Type.Optional(Type.String({ maxLength: 40 }))]),
  ),
}
const Paged = Type.Object(Filtered)
const Search = Type.Object({ ...Filtered, q: Type.Optional(Type.String({ maxLength: 100 })) })

type ByRef = { Params: { ref: string } }

const SUGGESTIONS_MAX = 6

/** Home, categories, products and search. */
export const catalogRoutes: FastifyPluginCallback<Pick<ResourceOptions, 'db' | 'now'>> = (app, { db, now }, done) => {
  const routes = shopRoutes(app)
  const ratesOfDay = createRates(db)
  const viewerOf = async (visit: ShopVisit): Promise<Viewer> => ({
    ...visit,
    rates: await ratesOfDay(),
    now: now(visit.shop.company_id),
  })

  routes.get('/', {}, async (request, reply) => {
    const { visit } = request
    // Sites that show the shop in a frame want what their customers own.
    if (queryText(request, 'embedded') === '1') return reply.toShop('/my-content?embedded=1')
    return reply.sharedPage('home', async () => {
      const list = { companyId: visit.shop.company_id, themeId: visit.shop.theme_id, now: now(visit.shop.company_id) }
      const [viewer, sample, rows, groups] = await Promise.all([
        viewerOf(visit),
        findSample(db, visit.shop, now(visit.shop.company_id)),
        readHome(db, visit.shop, list),
        visit.sellsPlans ? readShownGroups(db, visit.shop.company_id) : [],
      ])
      const home = homeModel(rows, viewer)
      const { picture } = home.hero ?? {}
      const origin = shopOrigin(visit.shop, app.baseUrl)
      return {
        page: { canonical: `${origin}/`, image: picture && `${origin}${picture.large}` },
        ...home,
        memberships: offersOf(groups, viewer),
        sample: sample && { title: titleFor(sample.product, viewer) },
      }
    })
  })

  routes.get<ByRef>('/categories/:ref', { params: Ref, querystring: Paged }, async (request, reply) => {
    const { visit, params } = request
    const { company_id: companyId, theme_id: themeId } = visit.shop
    const id = idIn(params.ref)
    if (id === undefined) throw shopPageNotFound()
    const after = queryText(request, 'after')
    const filters = readFilters(Object(request.query))
    const isAsShown = filterQuery(filters) === ''
    return reply.sharedPage('category', async () => {
      const list = { companyId, themeId, id, now: now(visit.shop.company_id) }
      const [viewer, category, facets, rows] = await Promise.all([
        viewerOf(visit),
        findCategory(db, companyId, id),
        readFacets(db, list),
        isAsShown ? readCategoryCards(db, { ...list, after: placeIn(after) }) : undefined,
      ])
      if (category === undefined) throw shopPageNotFound()
      const filtered =
        rows === undefined
          ? await readFilteredCards(db, {
              ...list,
              within: { id },
              wanted: wantedOf(filters, viewer),
              after: filteredPlaceIn(after),
              known: facets,
            })
          : { cards: rows, count: undefined }
      const page = pageOf(filtered.cards, viewer)
      const origin = shopOrigin(visit.shop, app.baseUrl)
      const model = await categoryModel(category, viewer, { origin, isFiltered: !isAsShown, cards: page.cards })
      return {
        ...model,
        ...page,
        filters: filterFormOf(filters, facets, viewer),
        count: filtered.count,
        total: facets.rows.length,
        is_total: facets.isAll,
      }
    })
  })

  routes.get<ByRef>('/products/:ref', { params: Ref }, async ({ visit, params }, reply) => {
    const running = await readRunningGroups(db, visit, now(visit.shop.company_id))
    const makeModel = async () => {
      const { company_id: companyId, theme_id: themeId } = visit.shop
      const wanted = { companyId, themeId, id: idIn(params.ref) ?? 0, productId: productIdIn(params.ref) }
      const [viewer, row] = await Promise.all([viewerOf(visit), findProduct(db, wanted, now(visit.shop.company_id))])
      if (row === undefined) throw shopPageNotFound()
      const nearest = row.path?.at(-1)
      const list = { companyId, themeId, now: now(visit.shop.company_id) }
      const [sample, similar, neighbours, rating] = await Promise.all([
        row.id === visit.shop.sample_product_id ? findSample(db, visit.shop, now(visit.shop.company_id)) : undefined,
        readSimilar(db, { ...list, row }),
        nearest === undefined ? [] : readNeighbours(db, { ...list, id: nearest.id, other: row.id }),
        readRating(db, visit.shop, row.id),
      ])
      const origin = shopOrigin(visit.shop, app.baseUrl)
      const model = await productModel(row, viewer, { origin, rating, running })
      const related = [...new Map([...similar, ...neighbours].map((card) => [card.id, card])).values()]
      return {
        ...model,
        reviews: visit.shop.allow_reviews ? reviewsOf(rating, `${visit.base}/products/${row.id}/review`) : undefined,
        related: related.slice(0, RELATED_MAX).map((card) => cardOf(card, viewer)),
        category: nearest === undefined ? undefined : categoryLink(nearest, viewer),
        sample_url: sample && `${visit.base}/sample`,
      }
    }
    // What members see depends on their groups alone, and is the same for all members of these.
    return reply.sharedPage('product', makeModel, { variant: running.join() })
  })

  // Its own address, so that no page that is kept for customers ever has it.
  routes.get<ByRef>('/products/:ref/preview', { params: Ref }, async (request, reply) => {
    const { visit, params } = request
    if (!(await app.isShopOwner(request))) throw shopPageNotFound()
    const { company_id: companyId, theme_id: themeId } = visit.shop
    const wanted = { companyId, themeId, id: idIn(params.ref) ?? 0, productId: productIdIn(params.ref) }
    const [viewer, row] = await Promise.all([viewerOf(visit), findAnyProduct(db, wanted, now(visit.shop.company_id))])
    if (row === undefined) throw shopPageNotFound()
    const { page, ...model } = await productModel(row, viewer, {
      origin: shopOrigin(visit.shop, app.baseUrl),
      rating: undefined,
    })
    return reply.shopPage('product', {
      ...model,
      page: { ...page, is_private: true },
      reviews: undefined,
      related: [],
      category: undefined,
      sample_url: undefined,
      is_owner_preview: true,
    })
  })

  routes.get('/search', { querystring: Search }, async (request, reply) => {
    const { visit } = request
    const words = queryText(request, 'q').trim()
    const after = queryText(request, 'after')
    const filters = readFilters(Object(request.query))
    const { company_id: companyId, theme_id: themeId } = visit.shop
    return reply.sharedPage('search', async () => {
      const viewer = await viewerOf(visit)
      const list = { companyId, themeId, now: now(visit.shop.company_id) }
      const wanted = wantedOf(filters, viewer)
      const { cards, count } =
        wordsIn(words).length === 0
          ? { cards: [], count: 0 }
          : filterQuery(filters) === ''
            ? {
                cards: await searchCards(
                  db,
                  { ...list, words, place: searchPlaceIn(after) },
                  now(visit.shop.company_id),
                ),
                count: undefined,
              }
            : await readFilteredCards(db, { ...list, within: { words }, wanted, after: filteredPlaceIn(after) })
      const page = pageOf(cards, viewer)
      // All of the results are on a first page that no other one follows.
      const isAll = after === '' && page.next === undefined
      return {
        page: { title_key: 'search.title', is_private: true },
        words,
        ...page,
        count: count ?? (isAll ? page.cards.length : undefined),
        filters: filterFormOf(filters, undefined, viewer, words),
      }
    })
  })

  routes.get('/search/suggestions', { querystring: Search }, async (request, reply) => {
    const { visit } = request
    const words = queryText(request, 'q').trim()
    const { company_id: companyId, theme_id: themeId } = visit.shop
    const wanted = { companyId, themeId, words, place: SEARCH_START }
    const [viewer, rows] = await Promise.all([
      viewerOf(visit),
      words === '' ? [] : searchCards(db, wanted, now(visit.shop.company_id)),
    ])
    const cards = rows.slice(0, SUGGESTIONS_MAX).map((row) => cardOf(row, viewer))
    return reply
      .headers({ 'cache-control': SHORTLY, vary: 'accept-language, cookie', 'x-content-type-options': 'nosniff' })
      .send({ suggestions: cards.map(({ title, url }) => ({ title, url })) })
  })

  routes.get('/sitemap.xml', {}, async ({ visit }, reply) => {
    const { company_id, theme_id } = visit.shop
    const origin = shopOrigin(visit.shop, app.baseUrl)
    const groups = await readOfferedGroups(db, company_id)
    const pages = [
      ...writtenTexts(visit.shop).map((name) => `/pages/${name}`),
      ...groups.map(({ group_id, title }) => membershipPath(group_id, title)),
    ]
    const sitemap = await sitemapOf(db, {
      companyId: company_id,
      themeId: theme_id,
      origin,
      pages,
      now: now(company_id),
    })
    return reply
      .headers({ 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' })
      .send(sitemap)
  })

  routes.get('/robots.txt', {}, async ({ visit }, reply) => {
    const hidden = ['cart', 'checkout', 'account', 'login', 'my-content', 'search', 'preferences']
    const lines = [
      'User-agent: *',
      ...hidden.map((path) => `Disallow: ${visit.base}/${path}`),
      '',
      `Sitemap: ${shopOrigin(visit.shop, app.baseUrl)}/sitemap.xml`,
      '',
    ]
    return reply
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' })
      .send(lines.join('\n'))
  })

  done()
}

/** The place after which a page of a category begins, such as `12-345`. */
function placeIn(text: string): Place {
  const [, position, key] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? []
  return position === undefined || key === undefined ? START : { position: Number(position), key: Number(key) }
}

/** The product after which a page of a filtered list begins; 0 if the text is none. */
function filteredPlaceIn(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : 0
}

/** The place after which a page of search results begins, such as `texts-345`. */
function searchPlaceIn(text: string): SearchPlace {
  const [, part, before] = /^(titles|texts)-(\d{1,15})$/.exec(text) ?? []
  if (before === undefined) return SEARCH_START
  return { part: part === 'texts' ? 'texts' : 'titles', before: Number(before) }
}

/** The cards of a page, and where the next one begins. The rows have one more than the page. */
function pageOf(rows: readonly CardRow[], viewer: Viewer): { cards: Card[]; next: string | undefined } {
  const shown = rows.slice(0, PAGE_SIZE)
  return {
    cards: shown.map((row) => cardOf(row, viewer)),
    next: rows.length > PAGE_SIZE ? shown.at(-1)?.place : undefined,
  }
}

import type { FastifyInstance, FastifyReply } from 'fastify'
import { createEncodedPage } from '#platform/http/answers/encoded-page.ts'
import type { ShopCache } from '#shop/cache/cache.ts'
import { keepEmbedded } from '../cookies.site.ts'
import type { ShopModel, ShopTemplate } from '../pages.site.ts'
import type { ShopVisit } from '../state.ts'
import type { ShowFault } from './failures.site.ts'
import { headersIn, PERSONAL, SHORTLY, VARY } from './headers.site.ts'
import { guestKey, inEncoding, sendKept } from './kept-pages.site.ts'
import { type PageMaker, sourceOf } from './page-maker.site.ts'
import { type CountViews, countViewsOf, routeOf } from './viewers.site.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Answers with a page of the shop: `templates/{template}.liquid` of its theme, inside the layout. */
    shopPage<Template extends ShopTemplate>(
      template: Template,
      model: ShopModel<Template>,
      answer?: ShopAnswer,
    ): Promise<FastifyReply>
    /**
     * Answers with a page that is the same for everybody but for its frame. It is kept, so `makeModel` is called only if
     * nobody was shown the page since the shop changed. `variant` names the visitors for whom it is another page: everybody with
     * the same one sees the same.
     */
    sharedPage<Template extends ShopTemplate>(
      template: Template,
      makeModel: () => Promise<ShopModel<Template>>,
      options?: { variant?: string },
    ): Promise<FastifyReply>
    /** Redirects to a page of the shop, such as `/cart`, after a form. */
    toShop(path: string): FastifyReply
  }
}

export type ShopAnswer = {
  status?: number
  headers?: Record<string, string>
  /** The sites whose pages are shown in a frame of this page. */
  frames?: readonly string[]
}

const OK = 200

/** A page that only some may see is not kept for others. */
const isKept = ({ isPreview, draft }: ShopVisit) => !isPreview && draft === undefined

/** Who may show the page in a frame: the sites that the owner names, and the admin interface a preview. */
const framersOf = ({ draft, shop }: ShopVisit) => (draft === undefined ? shop.frame_origins : ["'self'"])

type Options = { cache: ShopCache; maker: PageMaker; showFault: ShowFault; countViews: CountViews | undefined }

/** Lets the routes of this context answer with pages of shops. */
export function addShopReplies(app: FastifyInstance, { cache, maker, showFault, countViews }: Options): void {
  app.decorateReply('toShop', function toShop(this: FastifyReply, path) {
    return this.redirect(`${this.request.visit.base}${path}`, 303)
  })

  app.decorateReply('shopPage', async function shopPage(this: FastifyReply, template, model, answer = {}) {
    const { request } = this
    keepEmbedded(this)
    const { html, fault } = await maker.makeOwn(request, template, model)
    const shown = await showFault(this, fault)
    if (shown !== undefined) return shown
    const { status = OK, frames = [] } = answer
    if (status === OK) countViewsOf(countViews, request, model.page?.is_private)(request)
    const headers = headersIn(framersOf(request.visit), frames)({})
    return this.code(status)
      .headers({ vary: VARY, ...answer.headers, ...headers })
      .send(html)
  })

  app.decorateReply('sharedPage', async function sharedPage(this: FastifyReply, template, makeModel, options = {}) {
    const { request } = this
    const { variant = '' } = options
    const isForGuests = request.method === 'GET' && variant === '' && isKept(request.visit)
    const key = isForGuests ? guestKey(request) : undefined
    const make = async () => {
      const { html, fault, isPrivate, isCurrent, at } = await maker.makeShared(request, template, makeModel, variant)
      const caching = guestKey(request) === undefined ? PERSONAL : SHORTLY
      const headers = {
        ...headersIn(framersOf(request.visit), [])({ caching }),
        vary: `${VARY}, accept-encoding`,
      }
      const { as, size } = createEncodedPage(html, Object.entries(headers).flat())
      const value = { route: routeOf(request), fault, count: countViewsOf(countViews, request, isPrivate), as }
      return { value, size: 2 * size, isForOthers: fault === undefined, isCurrent, at }
    }
    const page = key === undefined ? (await make()).value : await cache.share('page', key, sourceOf(request), make)
    const shown = await showFault(this, page.fault)
    if (shown !== undefined) return shown
    page.count(request)
    return sendKept(this, inEncoding(page, request))
  })
}

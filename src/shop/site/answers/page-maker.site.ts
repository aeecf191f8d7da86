import type { FastifyRequest } from 'fastify'
import { cleanHtml, cleanMetaTags } from '#platform/text/safe-html.ts'
import { hostName } from '#platform/wire/own-address.ts'
import type { Made, ShopCache } from '#shop/cache/cache.ts'
import type { Rendered } from '#shop/themes/theme.ts'
import type { Themes } from '#shop/themes/themes.theme.ts'
import { isEmbedded } from '../cookies.site.ts'
import type { ShopModel, ShopPage, ShopTemplate } from '../pages.site.ts'
import { layoutOf } from './layout.views.ts'
import { markSandbox } from './sandbox-mark.views.ts'

declare module '#shop/cache/cache.ts' {
  interface CacheValues {
    content: Content
  }
}

export type PageMakerOptions = {
  themes: Themes
  features: Readonly<Record<string, boolean>>
  countCart: (request: FastifyRequest) => Promise<number>
  cache: ShopCache
  baseUrl: () => string
}

type Globals = ReturnType<typeof layoutOf>

/** A page without its frame, in which the name of the customer and the cart are. */
type Content = Rendered & { page: ShopPage | undefined; isCurrent: () => boolean; at: number }

/** `isCurrent`: has no file of the theme changed since? `at`: when its content was made. */
export type MadePage = Rendered & { isPrivate: boolean; isCurrent: () => boolean; at: number }

export type PageMaker = {
  /** Makes a page for one visitor. */
  makeOwn<Template extends ShopTemplate>(
    request: FastifyRequest,
    template: Template,
    model: ShopModel<Template>,
  ): Promise<Rendered>
  /** Makes a page whose content is the same for all visitors with the same languages, country, currency and variant. */
  makeShared<Template extends ShopTemplate>(
    request: FastifyRequest,
    template: Template,
    makeModel: () => Promise<ShopModel<Template>>,
    variant?: string,
  ): Promise<MadePage>
}

/** The companies whose changes show on the pages of a visit, and the last change that was known before anything was read. */
export function sourceOf({ visit, knownChange }: FastifyRequest) {
  return { companyIds: [visit.shop.company_id, ...visit.owners], since: knownChange }
}

/** Everything that decides what the content of a page is. */
function contentKey({ host, url, visit: { languages, country, currency } }: FastifyRequest, variant: string): string {
  return [host, url, languages.join(), country, currency, variant].join(' ')
}

/** Lets a template read what is about one visitor, and tells whether it did. */
function watchPersonal(globals: Globals): { globals: Globals; isPersonal: () => boolean } {
  let isPersonal = false
  const read = <Name extends keyof Globals>(name: Name): Globals[Name] => {
    isPersonal = true
    return globals[name]
  }
  const watched = {
    ...globals,
    get customer() {
      return read('customer')
    },
    get is_guest() {
      return read('is_guest')
    },
    get cart() {
      return read('cart')
    },
    get is_preview() {
      return read('is_preview')
    },
  }
  return { globals: watched, isPersonal: () => isPersonal }
}

/** Makes the pages of shops out of their themes. */
export function createPageMaker({ themes, features, countCart, cache, baseUrl }: PageMakerOptions): PageMaker {
  async function readFrame(request: FastifyRequest) {
    const { shop } = request.visit
    const [theme, cartCount, html, metaTags] = await Promise.all([
      themes.find(shop.theme_id),
      countCart(request),
      cleanHtml(shop.html_tag),
      cleanMetaTags(shop.meta_tag),
    ])
    // Only pages for one visitor are embedded: the others are kept for everybody.
    const globalsWith = (page: ShopPage = {}, isOwn = false) =>
      layoutOf(request.visit, {
        isEmbedded: isOwn && isEmbedded(request),
        cartCount,
        html,
        metaTags,
        features,
        page,
        url: request.url,
        host: hostName(request.host),
        baseUrl: baseUrl(),
      })
    return { theme, globalsWith }
  }

  async function makeContent<Template extends ShopTemplate>(
    template: Template,
    frame: ReturnType<typeof readFrame>,
    makeModel: () => Promise<ShopModel<Template>>,
  ): Promise<Made<Content>> {
    const [model, { theme, globalsWith }] = await Promise.all([makeModel(), frame])
    const version = theme.version()
    const { globals, isPersonal } = watchPersonal(globalsWith(model.page))
    const rendered = theme.renderShared(template, model, globals)
    const isCurrent = () => theme.version() === version
    return {
      value: { ...rendered, page: model.page, isCurrent, at: performance.now() },
      size: 2 * rendered.html.length,
      isForOthers: rendered.fault === undefined && !isPersonal(),
      isCurrent,
    }
  }

  return {
    async makeOwn(request, template, model) {
      const { theme, globalsWith } = await readFrame(request)
      const own = theme.render(template, model, globalsWith(model.page, true))
      return { ...own, html: markSandbox(own.html, request.visit) }
    },
    async makeShared(request, template, makeModel, variant = '') {
      const frame = readFrame(request)
      const key = contentKey(request, variant)
      const [{ theme, globalsWith }, { html, page, fault, isCurrent, at }] = await Promise.all([
        frame,
        cache.share('content', key, sourceOf(request), () => makeContent(template, frame, makeModel)),
      ])
      const whole = theme.renderLayout(template, html, page === undefined ? {} : { page }, globalsWith(page))
      return {
        html: markSandbox(whole.html, request.visit),
        fault: fault ?? whole.fault,
        isPrivate: page?.is_private ?? false,
        isCurrent,
        at,
      }
    },
  }
}

import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { nowInSeconds } from '#platform/clock.ts'
import { formBody, formOf } from '#platform/http/requests/forms.ts'
import type { PageResourceOptions } from '#platform/pages/site.ts'
import { translatorOf } from '#platform/text/messages.ts'
import { allowWithLink, allowWithPassword, askForLink, denyWithLink } from './commands.ts'
import { createAttempts } from './limits.commands.ts'
import { addressBack, findFollowed, type PlayerPrompt, readPlayerPrompt, readShopName, type Shop } from './queries.ts'
import { isEmail, pageLanguage } from './rules.ts'
import { linkPage, mailedPage, type Scene, signInPage, voidPage } from './views.ts'

const open = { config: { public: true }, schema: { hide: true } } as const
const signInForm = { hide: true, body: formBody({ email: 'line', password: 'password', decision: 'word' }) } as const
const linkForm = { hide: true, body: formBody({ decision: 'word' }) } as const
const REFUSED = 422
const WAIT = 429
const GONE = 410

const queryOf = (url: string) => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')
const acceptLanguage = ({ headers }: FastifyRequest) => headers['accept-language'] ?? ''

/** The prompt for customers: an app asks to play and read what they bought at one shop. */
export const playerPromptRoutes: FastifyPluginCallback<PageResourceOptions> = (app, { db, clock }, done) => {
  const attempts = createAttempts({ db, change: app.change, clock })

  async function sceneOf(
    { app: client, prompt }: PlayerPrompt,
    { shop, ownerName }: { shop: Shop; ownerName: string },
    language: string,
  ): Promise<Scene> {
    const { host, protocol } = new URL(prompt.redirectUri)
    const shopName = await readShopName(db, shop, language)
    return { language, appName: client.name, ownerName, shopName, redirectHost: host || protocol }
  }

  const backTo = (reply: FastifyReply, asking: PlayerPrompt, parameters: Record<string, string>) =>
    reply.redirect(addressBack(asking, parameters), 303)

  app.get('/oauth2/player', open, async (request, reply) => {
    const query = queryOf(request.url)
    const asking = await readPlayerPrompt(db, query, app.servedScopes())
    const { asked, formAction } = asking
    if (asked.kind === 'error') return backTo(reply, asking, asked.error)
    const scene = await sceneOf(asking, asked, pageLanguage(acceptLanguage(request), asked.shop.company.language))
    return reply.page(signInPage({ csrf: reply.csrfToken(), scene, query, email: '' }), { formAction })
  })

  app.post('/oauth2/player', { ...open, schema: signInForm }, async (request, reply) => {
    const query = queryOf(request.url)
    const asking = await readPlayerPrompt(db, query, app.servedScopes())
    const { asked, formAction } = asking
    if (asked.kind === 'error') return backTo(reply, asking, asked.error)
    const { email: typed, password, decision } = formOf(request, 'email', 'password', 'decision')
    if (decision === 'deny') return backTo(reply, asking, { error: 'access_denied' })
    const { shop } = asked
    const companyId = shop.company.id
    const email = typed.trim()
    const scene = await sceneOf(asking, asked, pageLanguage(acceptLanguage(request), shop.company.language))
    const t = translatorOf(scene.language)
    const again = (status: number, alarm: string) =>
      reply.page(signInPage({ csrf: reply.csrfToken(), scene, query, email, alarm }), { status, formAction })
    const wait = (seconds: number) => {
      reply.header('retry-after', seconds)
      return again(WAIT, t('pages.app_access.wrong.wait', { minutes: Math.ceil(seconds / 60) }))
    }

    if (decision === 'link') {
      if (!isEmail(email)) return again(REFUSED, t('pages.app_access.wrong.email'))
      const link = { email, query, baseUrl: app.baseUrl, companyId, shopId: shop.shopId }
      const sent = await attempts.sendLink(companyId, email, request.ip, () =>
        app.change((tx) => askForLink(tx, link, nowInSeconds(clock))),
      )
      return sent.kind === 'wait' ? wait(sent.seconds) : reply.page(mailedPage(scene, email))
    }
    if (email === '' || password === '') return again(REFUSED, t('pages.app_access.wrong.missing'))
    const check = await attempts.signIn(companyId, email, password, request.ip)
    if (check.kind === 'wait') return wait(check.seconds)
    const { result: account, limits } = check
    if (account === undefined) return again(REFUSED, t('pages.app_access.wrong.credentials'))
    const choice = { app: asking.app, prompt: asking.prompt, shop }
    const allowed = await app.change((tx) => allowWithPassword(tx, choice, account, limits, nowInSeconds(clock)))
    if (allowed.kind === 'refused') return again(REFUSED, t('pages.app_access.wrong.credentials'))
    if (allowed.kind !== 'allowed')
      return again(REFUSED, t('pages.app_access.wrong.stranger', { shop: scene.shopName }))
    return backTo(reply, asking, { code: allowed.code, companyid: String(companyId) })
  })

  // Opening the page changes nothing, because mail scanners open links.
  app.get<{ Params: { token: string } }>('/oauth2/player/:token', open, async (request, reply) => {
    const { token } = request.params
    const followed = await findFollowed(db, token, app.servedScopes(), nowInSeconds(clock))
    if (followed === undefined) return reply.page(voidPage(pageLanguage(acceptLanguage(request), '')), { status: GONE })
    const { asking, asked, link } = followed
    const scene = await sceneOf(asking, asked, link.language)
    return reply.page(linkPage({ csrf: reply.csrfToken(), scene, token, email: link.email }), {
      formAction: asking.formAction,
    })
  })

  app.post<{ Params: { token: string } }>(
    '/oauth2/player/:token',
    { ...open, schema: linkForm },
    async (request, reply) => {
      const { token } = request.params
      const gone = () => reply.page(voidPage(pageLanguage(acceptLanguage(request), '')), { status: GONE })
      const followed = await findFollowed(db, token, app.servedScopes(), nowInSeconds(clock))
      if (followed === undefined) return gone()
      const { asking, asked } = followed
      if (formOf(request, 'decision').decision !== 'allow') {
        await app.change((tx) => denyWithLink(tx, token, nowInSeconds(clock)))
        return backTo(reply, asking, { error: 'access_denied' })
      }
      const choice = { app: asking.app, prompt: asking.prompt, shop: asked.shop }
      const allowed = await app.change((tx) => allowWithLink(tx, choice, token, nowInSeconds(clock)))
      if (allowed.kind !== 'allowed') return gone()
      return backTo(reply, asking, { code: allowed.code, companyid: String(asked.shop.company.id) })
    },
  )

  done()
}

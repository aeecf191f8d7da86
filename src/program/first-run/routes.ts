import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { CURRENCY_CODES } from '#catalog/currency-rates/currencies.facts.ts'
import { isFirstRun, isOpenLink } from '#identity/sign-in/queries.ts'
import { emailMistakes, HOME, nameMistakes, passwordMistakes } from '#identity/sign-in/rules.ts'
import { voidLinkPage } from '#identity/sign-in/views.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { formBody, formOf } from '#platform/http/requests/forms.ts'
import { originOf } from '#platform/http/requests/origin.ts'
import { hashPassword } from '#platform/identity/crypto.ts'
import { readerOf } from '#platform/pages/reader.ts'
import type { PageResourceOptions } from '#platform/pages/site.ts'
import { currencyOf } from './choices.present.ts'
import { openFirstCompany } from './commands.ts'
import { firstRunPage, notSetUpPage } from './views.ts'

const open = { config: { public: true }, schema: { hide: true } } as const
const FIELDS = ['company_name', 'country', 'currency', 'email', 'password', 'password_confirmation'] as const
const firstRunForm = {
  hide: true,
  body: formBody({
    company_name: 'line',
    country: 'word',
    currency: 'word',
    email: 'line',
    password: 'password',
    password_confirmation: 'password',
  }),
} as const
const REFUSED = 422
const GONE = 410
const BLANK = { company_name: '', country: '', currency: '', email: '' }

export const firstRunRoutes: FastifyPluginCallback<PageResourceOptions> = (app, { db, clock }, done) => {
  const isOpen = async (token: string) =>
    (await isFirstRun(db)) && isOpenLink(db, 'first run', token, nowInSeconds(clock))

  /** Whoever has just set up the shop and goes back is led home. */
  const gone = (request: FastifyRequest, reply: FastifyReply) =>
    request.visitor?.secondFactorDue === false
      ? reply.redirect(HOME, 303)
      : reply.page(voidLinkPage(readerOf(request), 'first_run'), { status: GONE })

  // A person who opens the service's bare address manages a shop on it.
  app.get('/', open, async (request, reply) =>
    (await isFirstRun(db)) ? reply.page(notSetUpPage(readerOf(request))) : reply.redirect(HOME, 303),
  )

  app.get<{ Params: { token: string } }>('/first-run/:token', open, async (request, reply) => {
    const { token } = request.params
    return (await isOpen(token))
      ? reply.page(firstRunPage(readerOf(request), { csrf: reply.csrfToken(), token, typed: BLANK }))
      : gone(request, reply)
  })

  app.post<{ Params: { token: string } }>(
    '/first-run/:token',
    { ...open, schema: firstRunForm },
    async (request, reply) => {
      const { token } = request.params
      const reader = readerOf(request)
      const { t } = reader
      if (!(await isOpen(token))) return gone(request, reply)
      const { password, password_confirmation, ...typed } = formOf(request, ...FIELDS)
      const { company_name, country, email } = typed
      const ofCountry = currencyOf(country)
      const currency = typed.currency === '' ? ofCountry : typed.currency
      const mistakes = {
        ...nameMistakes(t, { company_name }),
        ...emailMistakes(t, { email }),
        ...passwordMistakes(t, { password, password_confirmation }),
        ...(ofCountry === undefined ? { country: t('account.mistakes.country') } : {}),
        ...(typed.currency === '' || CURRENCY_CODES.has(typed.currency)
          ? {}
          : { currency: t('account.mistakes.currency') }),
      }
      if (currency === undefined || Object.keys(mistakes).length > 0) {
        const again = { csrf: reply.csrfToken(), token, typed, mistakes }
        return reply.page(firstRunPage(reader, again), { status: REFUSED })
      }
      const details = {
        token,
        company_name: company_name.trim(),
        country_code: country,
        currency,
        email: email.trim(),
        language: t.language,
        passwordHash: await hashPassword(password),
      }
      const userAgent = request.headers['user-agent'] ?? ''
      const entry = await app.change((tx) =>
        openFirstCompany(tx, details, userAgent, originOf(request), nowInSeconds(clock)),
      )
      return entry === undefined ? gone(request, reply) : reply.welcome(entry, HOME)
    },
  )

  done()
}

import type { FastifyPluginCallback } from 'fastify'
import { isFirstRun, isOpenLink } from '#identity/sign-in/queries.ts'
import { emailMistakes, HOME, nameMistakes, passwordMistakes } from '#identity/sign-in/rules.ts'
import { firstRunPage, notSetUpPage, voidLinkPage } from '#identity/sign-in/views.ts'
import { formBody, formOf } from '#platform/http/requests/forms.ts'
import { originOf } from '#platform/http/requests/origin.ts'
import { hashPassword } from '#platform/identity/crypto.ts'
import { readerOf } from '#platform/pages/reader.ts'
import type { PageResourceOptions } from '#platform/pages/site.ts'
import { openFirstCompany } from './commands.ts'
import { countryChoices, currencyOf } from './countries.present.ts'

const open = { config: { public: true }, schema: { hide: true } } as const
const firstRunForm = {
  hide: true,
  body: formBody({
    company_name: 'line',
    country: 'word',
    email: 'line',
    first_name: 'line',
    last_name: 'line',
    password: 'password',
    password_confirmation: 'password',
  }),
} as const
const REFUSED = 422
const GONE = 410
const BLANK = { companyName: '', country: '', email: '', firstName: '', lastName: '' }

export const firstRunRoutes: FastifyPluginCallback<PageResourceOptions> = (app, { db, now }, done) => {
  const isOpen = async (token: string) => (await isFirstRun(db)) && isOpenLink(db, 'first run', token, now())

  // A person who opens the service's bare address manages a shop on it.
  app.get('/', open, async (request, reply) =>
    (await isFirstRun(db)) ? reply.page(notSetUpPage(readerOf(request))) : reply.redirect(HOME, 303),
  )

  app.get<{ Params: { token: string } }>('/first-run/:token', open, async (request, reply) => {
    const { token } = request.params
    const reader = readerOf(request)
    const countries = countryChoices(reader.t.language)
    return (await isOpen(token))
      ? reply.page(firstRunPage(reader, { csrf: reply.csrfToken(), token, countries, ...BLANK }))
      : reply.page(voidLinkPage(reader, 'first_run'), { status: GONE })
  })

  app.post<{ Params: { token: string } }>(
    '/first-run/:token',
    { ...open, schema: firstRunForm },
    async (request, reply) => {
      const { token } = request.params
      const reader = readerOf(request)
      const { t } = reader
      const gone = () => reply.page(voidLinkPage(reader, 'first_run'), { status: GONE })
      if (!(await isOpen(token))) return gone()
      const form = formOf(
        request,
        ...([
          'company_name',
          'country',
          'email',
          'first_name',
          'last_name',
          'password',
          'password_confirmation',
        ] as const),
      )
      const { company_name, first_name, last_name } = form
      const currency = currencyOf(form.country)
      const mistakes = {
        ...nameMistakes(t, { company_name, first_name, last_name }),
        ...emailMistakes(t, form),
        ...passwordMistakes(t, form),
        ...(currency === undefined ? { country: t('account.mistakes.country') } : {}),
      }
      if (currency === undefined || Object.keys(mistakes).length > 0) {
        const typed = {
          companyName: company_name,
          country: form.country,
          email: form.email,
          firstName: first_name,
          lastName: last_name,
        }
        const again = { csrf: reply.csrfToken(), token, countries: countryChoices(t.language), ...typed, mistakes }
        return reply.page(firstRunPage(reader, again), { status: REFUSED })
      }
      const details = {
        token,
        company_name: company_name.trim(),
        country_code: form.country,
        currency,
        email: form.email.trim(),
        first_name: first_name.trim(),
        last_name: last_name.trim(),
        language: t.language,
        passwordHash: await hashPassword(form.password),
      }
      const userAgent = request.headers['user-agent'] ?? ''
      const entry = await app.change((tx) => openFirstCompany(tx, details, userAgent, originOf(request), now()))
      return entry === undefined ? gone() : reply.welcome(entry, HOME)
    },
  )

  done()
}

import type { FastifyPluginCallback } from 'fastify'
import { isFirstRun, isOpenLink } from '#identity/sign-in/queries.ts'
import { emailMistakes, HOME, nameMistakes, passwordMistakes } from '#identity/sign-in/rules.ts'
import { firstRunPage, notSetUpPage, voidLinkPage } from '#identity/sign-in/views.ts'
import { formBody, formOf } from '#platform/http/requests/forms.ts'
import { originOf } from '#platform/http/requests/origin.ts'
import { hashPassword } from '#platform/identity/crypto.ts'
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
  app.get('/', open, async (_request, reply) =>
    (await isFirstRun(db)) ? reply.page(notSetUpPage()) : reply.redirect(HOME, 303),
  )

  app.get<{ Params: { token: string } }>('/first-run/:token', open, async ({ params: { token } }, reply) =>
    (await isOpen(token))
      ? reply.page(firstRunPage({ csrf: reply.csrfToken(), token, countries: countryChoices(), ...BLANK }))
      : reply.page(voidLinkPage('first run'), { status: GONE }),
  )

  app.post<{ Params: { token: string } }>(
    '/first-run/:token',
    { ...open, schema: firstRunForm },
    async (request, reply) => {
      const { token } = request.params
      const gone = () => reply.page(voidLinkPage('first run'), { status: GONE })
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
        ...nameMistakes({ company_name, first_name, last_name }),
        ...emailMistakes(form),
        ...passwordMistakes(form),
        ...(currency === undefined ? { country: 'Choose a country.' } : {}),
      }
      if (currency === undefined || Object.keys(mistakes).length > 0) {
        const typed = {
          companyName: company_name,
          country: form.country,
          email: form.email,
          firstName: first_name,
          lastName: last_name,
        }
        const again = { csrf: reply.csrfToken(), token, countries: countryChoices(), ...typed, mistakes }
        return reply.page(firstRunPage(again), { status: REFUSED })
      }
      const details = {
        token,
        company_name: company_name.trim(),
        country_code: form.country,
        currency,
        email: form.email.trim(),
        first_name: first_name.trim(),
        last_name: last_name.trim(),
        passwordHash: await hashPassword(form.password),
      }
      const userAgent = request.headers['user-agent'] ?? ''
      const entry = await app.change((tx) => openFirstCompany(tx, details, userAgent, originOf(request), now()))
      return entry === undefined ? gone() : reply.welcome(entry, HOME)
    },
  )

  done()
}

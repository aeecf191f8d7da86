import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { nowInSeconds } from '#platform/clock.ts'
import { formBody, formOf, queryText } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { requireEncryption } from '#platform/pages/encryption.ts'
import type { ShopPages } from '#shop/site/pages.site.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { createSignIn } from './attempts.guard.ts'
import { endOwnSession } from './commands.ts'
import type { AccountMailRequest } from './jobs.ts'
import { findMailedSignUp, findShopLink, readMailedAddress } from './queries.ts'
import { emailErrors, hasErrors, nameErrors, passwordErrors } from './rules.ts'
import { addressOf, entranceOf, goodbye, memberOf, welcome } from './site.ts'

const REFUSED = 422
const WAIT = 429
const GONE = 410

type Options = Pick<ResourceOptions, 'db' | 'now' | 'clock'>
type FormTemplate = 'login' | 'register' | 'reset'
type WithToken = { Params: { token: string } }

const page = (key: string, has_error = false) => ({ title_key: key, is_private: true, has_error })

/** The pages on which customers sign in to a shop, sign up, and sign out. */
export const sessionRoutes: FastifyPluginCallback<Options> = (app, { db, now, clock }, done) => {
  requireEncryption(app)
  const routes = shopRoutes(app)
  const signIn = createSignIn({ db, now, clock, change: app.change })

  const shopOf = ({ visit: { shop } }: FastifyRequest) => ({ companyId: shop.company_id, shopId: shop.id })

  /** A form again, with its values and the errors in them. The title says that there are some. */
  const again = <Template extends FormTemplate>(
    reply: FastifyReply,
    template: Template,
    model: ShopPages[Template],
    status = REFUSED,
  ) => reply.shopPage(template, { ...model, page: page(`${template}.title`, true) }, { status })

  const wait = <Template extends FormTemplate>(
    reply: FastifyReply,
    template: Template,
    model: ShopPages[Template],
    seconds: number,
  ) => {
    const wrong = { alarm: 'login.errors.wait', minutes: Math.ceil(seconds / 60) }
    return again(reply.header('retry-after', seconds), template, { ...model, ...wrong }, WAIT)
  }

  const gone = (reply: FastifyReply) =>
    reply.shopPage('link-invalid', { page: page('login.invalid.title') }, { status: GONE })

  const mailed = (reply: FastifyReply, email: string) =>
    reply.shopPage('mail-sent', { page: page('login.mailed.title'), email })

  function requestOf(request: FastifyRequest, more: Pick<AccountMailRequest, 'purpose' | 'email'>): AccountMailRequest {
    const { language } = request.visit
    const texts = { returnTo: '', firstName: '', lastName: '', language }
    return { ...texts, ...shopOf(request), address: addressOf(request), ...more }
  }

  routes.get('/login', {}, async (request, reply) => {
    if (memberOf(request) !== undefined) return reply.toShop('/account')
    const email = await readMailedAddress(db, shopOf(request), queryText(request, 'token'))
    const form = { email, return_to: queryText(request, 'return_to') }
    return reply.shopPage('login', { page: page('login.title'), form, is_from_mail: email !== '' })
  })

  const loginForm = { body: formBody({ email: 'line', password: 'password', decision: 'word', return_to: 'path' }) }
  routes.post('/login', loginForm, async (request, reply) => {
    const { password, decision, ...form } = trimmed(formOf(request, 'email', 'password', 'decision', 'return_to'))
    const { email, return_to: returnTo } = form
    if (decision === 'link') {
      const errors = emailErrors(email)
      if (hasErrors(errors)) return again(reply, 'login', { form, errors })
      const sent = await signIn.sendMail({ ...requestOf(request, { purpose: 'sign in', email }), returnTo }, request.ip)
      return sent.kind === 'wait' ? wait(reply, 'login', { form }, sent.seconds) : mailed(reply, email)
    }
    if (email === '' || password === '') return again(reply, 'login', { form, alarm: 'login.errors.missing' })
    const result = await signIn.withPassword(entranceOf(request), email, password)
    if (result.kind === 'wait') return wait(reply, 'login', { form }, result.seconds)
    if (result.kind === 'wrong') return again(reply, 'login', { form, alarm: 'login.errors.credentials' })
    return welcome(reply, result.sessionToken, returnTo)
  })

  // Opening the page changes nothing, because mail scanners open links.
  routes.get<WithToken>('/login/:token', {}, async (request, reply) => {
    const link = await findShopLink(db, shopOf(request), request.params.token, nowInSeconds(clock))
    if (link === undefined) return gone(reply)
    return reply.shopPage('login-link', { page: page('login.title'), email: link.email, token: request.params.token })
  })

  routes.post<WithToken>('/login/:token', { body: formBody({}) }, async (request, reply) => {
    const entered = await signIn.withLink(entranceOf(request), request.params.token)
    return entered === undefined ? gone(reply) : welcome(reply, entered.sessionToken, entered.returnTo)
  })

  routes.post('/logout', { body: formBody({}) }, async (request, reply) => {
    const leaving = memberOf(request) ?? request.visit.guest
    if (leaving !== undefined) await app.change((tx) => endOwnSession(tx, leaving.session))
    return goodbye(reply)
  })

  routes.get('/register', {}, async (_request, reply) =>
    reply.shopPage('register', { page: page('register.title'), form: { email: '', first_name: '', last_name: '' } }),
  )

  const registerForm = { body: formBody({ email: 'line', first_name: 'line', last_name: 'line' }) }
  routes.post('/register', registerForm, async (request, reply) => {
    const form = trimmed(formOf(request, 'email', 'first_name', 'last_name'))
    const { email, first_name: firstName, last_name: lastName } = form
    const errors = { ...emailErrors(email), ...nameErrors({ first_name: firstName, last_name: lastName }) }
    if (hasErrors(errors)) return again(reply, 'register', { form, errors })
    const asked = { ...requestOf(request, { purpose: 'sign up', email }), firstName, lastName }
    const sent = await signIn.sendMail(asked, request.ip)
    return sent.kind === 'wait' ? wait(reply, 'register', { form }, sent.seconds) : mailed(reply, email)
  })

  routes.get<WithToken>('/register/:token', {}, async (request, reply) => {
    const { token } = request.params
    const signUp = await findMailedSignUp(db, shopOf(request), token, nowInSeconds(clock))
    if (signUp === undefined) return gone(reply)
    return reply.shopPage('register-password', { page: page('register.title'), token, email: signUp.email })
  })

  const passwordForm = { body: formBody({ password: 'password' }) }
  routes.post<WithToken>('/register/:token', passwordForm, async (request, reply) => {
    const { token } = request.params
    const signUp = await findMailedSignUp(db, shopOf(request), token, nowInSeconds(clock))
    if (signUp === undefined) return gone(reply)
    const { password } = formOf(request, 'password')
    const errors = passwordErrors(password)
    if (hasErrors(errors)) {
      const model = { page: page('register.title', true), token, email: signUp.email, errors }
      return reply.shopPage('register-password', model, { status: REFUSED })
    }
    const sessionToken = await signIn.withSignUp(entranceOf(request), token, password)
    return sessionToken === undefined ? gone(reply) : welcome(reply, sessionToken, '')
  })

  routes.get('/reset', {}, async (_request, reply) =>
    reply.shopPage('reset', { page: page('reset.title'), form: { email: '' } }),
  )

  routes.post('/reset', { body: formBody({ email: 'line' }) }, async (request, reply) => {
    const form = trimmed(formOf(request, 'email'))
    const errors = emailErrors(form.email)
    if (hasErrors(errors)) return again(reply, 'reset', { form, errors })
    const sent = await signIn.sendMail(requestOf(request, { purpose: 'reset', email: form.email }), request.ip)
    return sent.kind === 'wait' ? wait(reply, 'reset', { form }, sent.seconds) : mailed(reply, form.email)
  })

  done()
}

/** Passwords are taken as they are; blanks around other texts are slips. */
function trimmed<Name extends string>(form: Record<Name, string>): Record<Name, string> {
  const entries = Object.entries<string>(form).map(([name, text]) => [name, name === 'password' ? text : text.trim()])
  return Object.fromEntries(entries)
}

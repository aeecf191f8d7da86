import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { nowInSeconds } from '#platform/clock.ts'
import { formBody, formOf, queryText } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { hashPassword } from '#platform/identity/crypto.ts'
import { requireEncryption } from '#platform/pages/encryption.ts'
import { createCustomerDocuments } from '#selling/invoices/site.ts'
import { createMailLimit } from '#shop/sign-in/sessions/attempts.guard.ts'
import { emailErrors, hasErrors, passwordErrors } from '#shop/sign-in/sessions/rules.ts'
import {
  addressOf,
  entranceOf,
  forMembers,
  goodbye,
  type Member,
  pathPart,
  toSignIn,
  welcome,
} from '#shop/sign-in/sessions/site.ts'
import { shopPageNotFound } from '#shop/site/errors.ts'
import type { RefusedForm } from '#shop/site/pages.site.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import {
  askForDeletion,
  askForNewEmail,
  changeOwnPassword,
  deleteAccount,
  endSession,
  endSessions,
  followAccountLink,
  removeOwnDevice,
} from './commands.ts'
import { createExports } from './export.files.ts'
import { countOwnOrders, findOwnOrder, readOwnOrders } from './orders.queries.ts'
import { createPasswordCheck, type PasswordCheck } from './password-check.commands.ts'
import { findAccountLink, hasPassword, readDevices, readLosses, readOwnAddresses, readSessions } from './queries.ts'
import { isNotice } from './rules.ts'

const REFUSED = 422
const WAIT = 429
const GONE = 410
const TAKEN = 409

type Options = Pick<ResourceOptions, 'db' | 'now' | 'clock' | 'vault'>

const page = (key: string, has_error = false) => ({ title_key: key, is_private: true, has_error })

/** The account of a customer in a shop. It shows what the company of the shop knows, and nothing of others. */
export const accountRoutes: FastifyPluginCallback<Options> = (app, options, done) => {
  requireEncryption(app)
  addOverview(app, options)
  addChanges(app, options)
  addSessions(app, options)
  addErasure(app, options)
  addLinks(app, options)
  done()
}

function addOverview(app: FastifyInstance, { db, now, clock, vault }: Options): void {
  const routes = shopRoutes(app)
  const readDocuments = createCustomerDocuments({ db, vault })

  const startExport = createExports({ db, now, clock, change: app.change })

  async function showAccount(
    request: FastifyRequest,
    reply: FastifyReply,
    { customer, session }: Member,
    said: { notice?: string; alarm?: string; minutes?: number; status?: number } = {},
  ) {
    const { status = 200, ...words } = said
    const [{ orders }, orders_count, has_password, addresses] = await Promise.all([
      readOwnOrders(db, session.companyId, customer, request.visit, { limit: 3 }),
      countOwnOrders(db, session.companyId, customer),
      hasPassword(db, session),
      readOwnAddresses(db, session, request.visit.language),
    ])
    const model = {
      page: page('account.title', status >= REFUSED),
      orders,
      orders_count,
      has_password,
      addresses,
      ...words,
    }
    return reply.shopPage('account', model, { status })
  }

  routes.get(
    '/account',
    {},
    forMembers(async (request, reply, member) => {
      const notice = queryText(request, 'done')
      return showAccount(request, reply, member, isNotice(notice) ? { notice: `account.done.${notice}` } : {})
    }),
  )

  routes.get(
    '/account/orders',
    {},
    forMembers(async (request, reply, { customer, session }) => {
      const after = queryText(request, 'after')
      const found = await readOwnOrders(db, session.companyId, customer, request.visit, { after })
      return reply.shopPage('account-orders', { page: page('account.orders.title'), ...found })
    }),
  )

  routes.get(
    '/account/orders/:id',
    {},
    forMembers(async (request, reply, { customer, session }) => {
      const order = await findOwnOrder(db, session.companyId, customer, request.visit, pathPart(request, 'id'))
      if (order === undefined) throw shopPageNotFound()
      const documents = await readDocuments(session.companyId, order.id)
      return reply.shopPage('account-order', { page: page('account.orders.order'), order, documents })
    }),
  )

  routes.get(
    '/account/export',
    {},
    forMembers(async (request, reply, member) => {
      const started = await startExport(member.session, member.customer)
      if (started.kind !== 'made') {
        const alarm = started.kind === 'running' ? 'account.errors.export_running' : 'login.errors.wait'
        reply.header('retry-after', started.seconds)
        return showAccount(request, reply, member, { status: WAIT, alarm, minutes: Math.ceil(started.seconds / 60) })
      }
      return reply
        .headers({
          'content-type': 'application/json; charset=utf-8',
          'content-disposition': 'attachment; filename="my-data.json"',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        })
        .send(started.result)
    }),
  )
}

function addChanges(app: FastifyInstance, { db, clock }: Options): void {
  const routes = shopRoutes(app)
  const dependencies = { db, clock, change: app.change }
  const check = createPasswordCheck(dependencies)
  const sendWithin = createMailLimit(dependencies)

  type Wrong = RefusedForm & { status?: number }
  const passwordPage = (reply: FastifyReply, { status = 200, ...wrong }: Wrong = {}) =>
    reply.shopPage(
      'account-password',
      { page: page('account.password.title', status >= REFUSED), ...wrong },
      { status },
    )
  const emailPage = (reply: FastifyReply, email: string, { status = 200, ...wrong }: Wrong = {}) =>
    reply.shopPage(
      'account-email',
      { page: page('account.email.title', status >= REFUSED), form: { email }, ...wrong },
      { status },
    )

  /** What to show after a password that was not right; undefined if it was. */
  function refusal(result: PasswordCheck): Wrong | undefined {
    if (result.kind === 'wrong')
      return { status: REFUSED, errors: { current_password: 'account.errors.password_wrong' } }
    if (result.kind === 'none') return { status: REFUSED, alarm: 'account.errors.no_password' }
    if (result.kind === 'wait')
      return { status: WAIT, alarm: 'login.errors.wait', minutes: Math.ceil(result.seconds / 60) }
    return undefined
  }

  routes.get(
    '/account/password',
    {},
    forMembers(async (_request, reply, { session }) =>
      // A site that signs customers in must not be able to choose their passwords.
      (await hasPassword(db, session)) ? passwordPage(reply) : reply.toShop('/reset'),
    ),
  )

  const passwordForm = { body: formBody({ current_password: 'password', password: 'password' }) }
  routes.post(
    '/account/password',
    passwordForm,
    forMembers(async (request, reply, { session }) => {
      const { current_password: current, password } = formOf(request, 'current_password', 'password')
      const errors = passwordErrors(password)
      if (hasErrors(errors)) return passwordPage(reply, { status: REFUSED, errors })
      const result = await check(session, current)
      if (result.kind !== 'right') return passwordPage(reply, refusal(result))
      const hashes = { checkedHash: result.checkedHash, passwordHash: await hashPassword(password) }
      const token = await app.change((tx) =>
        changeOwnPassword(tx, session, hashes, entranceOf(request), nowInSeconds(clock)),
      )
      return token === undefined
        ? toSignIn(reply)
        : welcome(reply, token, `${request.visit.base}/account?done=password`)
    }),
  )

  routes.get(
    '/account/email',
    {},
    forMembers(async (_request, reply, { session }) =>
      (await hasPassword(db, session)) ? emailPage(reply, '') : reply.toShop('/reset'),
    ),
  )

  const emailForm = { body: formBody({ email: 'line', current_password: 'password' }) }
  routes.post(
    '/account/email',
    emailForm,
    forMembers(async (request, reply, { session }) => {
      const { email: typed, current_password: current } = formOf(request, 'email', 'current_password')
      const email = typed.trim()
      const errors = emailErrors(email)
      if (hasErrors(errors)) return emailPage(reply, email, { status: REFUSED, errors })
      const result = await check(session, current)
      if (result.kind !== 'right') return emailPage(reply, email, refusal(result))
      const asked = { newEmail: email, address: addressOf(request) }
      const sent = await sendWithin(session.companyId, email, request.ip, () =>
        app.change((tx) => askForNewEmail(tx, session, asked, nowInSeconds(clock))),
      )
      if (sent.kind === 'wait') return emailPage(reply, email, refusal(sent))
      return reply.shopPage('mail-sent', { page: page('login.mailed.title'), email })
    }),
  )
}

function addSessions(app: FastifyInstance, { db, now, clock }: Options): void {
  const routes = shopRoutes(app)

  routes.get(
    '/account/sessions',
    {},
    forMembers(async (request, reply, { session }) => {
      const sessions = await readSessions(db, session, request.visit.language, nowInSeconds(clock))
      return reply.shopPage('account-sessions', { page: page('account.sessions.title'), sessions })
    }),
  )

  routes.post(
    '/account/sessions/end',
    { body: formBody({ key: 'word' }) },
    forMembers(async (request, reply, { session }) => {
      const { key } = formOf(request, 'key')
      if (key === session.key || !/^[0-9a-f]{64}$/.test(key)) throw shopPageNotFound()
      await app.change((tx) => endSession(tx, session, key))
      return reply.toShop('/account/sessions')
    }),
  )

  routes.post(
    '/account/sessions/end-all',
    { body: formBody({}) },
    forMembers(async (_request, reply, { session }) => {
      await app.change((tx) => endSessions(tx, session))
      return goodbye(reply)
    }),
  )

  routes.get(
    '/account/devices',
    {},
    forMembers(async (request, reply, { session }) => {
      const found = await readDevices(db, session, request.visit.language, queryText(request, 'after'))
      return reply.shopPage('account-devices', { page: page('account.devices.title'), ...found })
    }),
  )

  routes.post(
    '/account/devices/:id/remove',
    { body: formBody({}) },
    forMembers(async (request, reply, { session }) => {
      const origin = { address: request.ip, requestId: request.id }
      await app.change((tx) =>
        removeOwnDevice(tx, session, pathPart(request, 'id'), origin, now(request.visit.shop.company_id)),
      )
      return reply.toShop('/account/devices')
    }),
  )
}

function addErasure(app: FastifyInstance, { db, clock }: Options): void {
  const routes = shopRoutes(app)
  const sendWithin = createMailLimit({ db, clock, change: app.change })

  async function show(reply: FastifyReply, { customer, session }: Member, wait?: { seconds: number }) {
    const losses = await readLosses(db, { ...session, token: customer.token })
    const wrong = wait && { alarm: 'login.errors.wait', minutes: Math.ceil(wait.seconds / 60) }
    const model = { page: page('account.delete.title', wait !== undefined), losses, ...wrong }
    return reply.shopPage('account-delete', model, { status: wait === undefined ? 200 : WAIT })
  }

  routes.get(
    '/account/delete',
    {},
    forMembers(async (_request, reply, member) => show(reply, member)),
  )

  routes.post(
    '/account/delete',
    { body: formBody({}) },
    forMembers(async (request, reply, member) => {
      const { email } = member.customer
      const sent = await sendWithin(member.session.companyId, email, request.ip, () =>
        app.change((tx) => askForDeletion(tx, member.session, addressOf(request), nowInSeconds(clock))),
      )
      if (sent.kind === 'wait') return show(reply, member, sent)
      return reply.shopPage('mail-sent', { page: page('login.mailed.title'), email })
    }),
  )
}

/** The pages behind the links about passwords, email addresses and the end of accounts in the mails of a shop. */
function addLinks(app: FastifyInstance, { db, clock }: Options): void {
  const routes = shopRoutes(app)
  const gone = (reply: FastifyReply) =>
    reply.shopPage('link-invalid', { page: page('login.invalid.title') }, { status: GONE })
  const shopOf = ({ visit: { shop } }: FastifyRequest) => shop.company_id

  async function erase(request: FastifyRequest, reply: FastifyReply, token: string) {
    const deleted = await app.change((tx) => deleteAccount(tx, shopOf(request), token, nowInSeconds(clock)))
    if (deleted === undefined) return gone(reply)
    // The link may have been opened where another customer is signed in.
    const { customer } = request.visit
    return customer === undefined || customer.id === deleted ? goodbye(reply, { isDeleted: true }) : reply.toShop('/')
  }

  // Opening the page changes nothing, because mail scanners open links.
  routes.get<{ Params: { token: string } }>('/customer/:token', {}, async (request, reply) => {
    const link = await findAccountLink(db, shopOf(request), request.params.token, nowInSeconds(clock))
    if (link === undefined) return gone(reply)
    const title = link.kind === 'deletion' ? 'account.delete.title' : `account.link.${link.kind}`
    return reply.shopPage('account-link', { page: page(title), link })
  })

  routes.post<{ Params: { token: string } }>(
    '/customer/:token',
    { body: formBody({ password: 'password' }) },
    async (request, reply) => {
      const { token } = request.params
      const link = await findAccountLink(db, shopOf(request), token, nowInSeconds(clock))
      if (link === undefined) return gone(reply)
      if (link.kind === 'deletion') return erase(request, reply, token)
      const { password } = formOf(request, 'password')
      const errors = link.kind === 'password' ? passwordErrors(password) : {}
      const wrong = { page: page(`account.link.${link.kind}`, true), link }
      if (hasErrors(errors)) return reply.shopPage('account-link', { ...wrong, errors }, { status: REFUSED })
      const passwordHash = link.kind === 'password' ? await hashPassword(password) : undefined
      const followed = await app.change((tx) =>
        followAccountLink(
          tx,
          entranceOf(request),
          { token, passwordHash, address: addressOf(request) },
          nowInSeconds(clock),
        ),
      )
      if (followed.kind === 'void') return gone(reply)
      if (followed.kind === 'taken')
        return reply.shopPage('account-link', { ...wrong, alarm: 'account.errors.email_taken' }, { status: TAKEN })
      const notice = link.kind === 'password' ? 'password' : 'email'
      return welcome(reply, followed.sessionToken, `${request.visit.base}/account?done=${notice}`)
    },
  )
}

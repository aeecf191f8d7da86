import type { FastifyPluginCallback, FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { formBody, formOf, queryText } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { hasErrors } from '#shop/sign-in/sessions/rules.ts'
import type { RefusedForm } from '#shop/site/pages.site.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { createCancellations } from './declare.commands.ts'
import { errorsIn, readKind } from './rules.ts'
import type { CancellationForm } from './state.ts'

const REFUSED = 422
const WAIT = 429

const page = (has_error = false) => ({ title_key: 'cancellation.title', is_private: true, has_error })

const Prefilled = Type.Object({ number: Type.Optional(Type.String({ maxLength: 100 })) })
const FIELDS = ['name', 'email', 'number', 'kind', 'reason', 'end'] as const
const Body = formBody({ name: 'line', email: 'line', number: 'line', kind: 'word', reason: 'line', end: 'word' })

/**
 * The page on which customers cancel a subscription, signed in or not: the second step of the two that the law asks for, after the
 * link that every page has. It says what was declared, and when, and never whether there is such a subscription.
 */
export const cancellationPageRoutes: FastifyPluginCallback<Pick<ResourceOptions, 'db' | 'now' | 'clock'>> = (
  app,
  { db, now, clock },
  done,
) => {
  const routes = shopRoutes(app)
  const declare = createCancellations({ db, now, clock, change: app.change })

  routes.get('/cancellation', { querystring: Prefilled }, async (request, reply) => {
    const { customer } = request.visit
    const name = customer === undefined ? '' : `${customer.first_name} ${customer.last_name}`.trim()
    const form = { name, email: customer?.email ?? '', number: queryText(request, 'number') }
    const blank = { ...form, kind: 'ordinary', reason: '', end: '' }
    return reply.shopPage('cancellation', { page: page(), form: blank, received_at: undefined })
  })

  routes.post('/cancellation', { body: Body }, async (request, reply) => {
    const { visit } = request
    const typed = formOf(request, ...FIELDS)
    const form = Object.fromEntries(FIELDS.map((name) => [name, typed[name].trim()])) as CancellationForm
    const time = now(visit.shop.company_id)
    const errors = errorsIn(form, time)
    const kind = readKind(form.kind)
    if (hasErrors(errors) || kind === undefined) return again(reply, form, { errors })
    const { id: shop_id, company_id } = visit.shop
    const reason = kind === 'extraordinary' ? form.reason : ''
    const received = { ...form, kind, reason, shop_id, language: visit.language, received_at: time.toISOString() }
    const made = await declare(company_id, received, request.ip)
    // The customer has to be able to keep it: it is shown at once, as a page that can be printed.
    if (made.kind === 'made')
      return reply.shopPage('cancellation', { page: page(), form: { ...form, reason }, received_at: time })
    const minutes = Math.ceil(made.seconds / 60)
    const wrong = { status: WAIT, alarm: 'login.errors.wait', minutes }
    return again(reply.header('retry-after', made.seconds), form, wrong)
  })

  done()
}

/** The form again, with its values and the errors in them. */
function again(
  reply: FastifyReply,
  form: CancellationForm,
  { status = REFUSED, ...wrong }: RefusedForm & { status?: number },
) {
  return reply.shopPage('cancellation', { page: page(true), form, received_at: undefined, ...wrong }, { status })
}

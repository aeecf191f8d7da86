import type { FastifyPluginCallback, FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { formBody, formOf, queryText } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { emailErrors, type FormErrors, hasErrors } from '#shop/sign-in/sessions/rules.ts'
import type { RefusedForm, ShopPages } from '#shop/site/pages.site.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { createDeclarations } from './declare.commands.ts'

const REFUSED = 422
const WAIT = 429

const page = (has_error = false) => ({ title_key: 'withdraw.title', is_private: true, has_error })
const Prefilled = Type.Object({ order: Type.Optional(Type.String({ maxLength: 100 })) })
const Body = formBody({ order: 'word', email: 'line', goods: 'line', reason: 'line' })

const RECEIVED = { page: page(), heading_key: 'withdraw.received', text_key: 'withdraw.received_text' }

/** The page on which customers withdraw from a purchase, signed in or not. It never tells whether an order exists. */
export const withdrawalPageRoutes: FastifyPluginCallback<Pick<ResourceOptions, 'db' | 'now' | 'clock'>> = (
  app,
  { db, now, clock },
  done,
) => {
  const routes = shopRoutes(app)
  const declare = createDeclarations({ db, now, clock, change: app.change })

  routes.get('/withdrawal', { querystring: Prefilled }, async (request, reply) => {
    const form = { order: queryText(request, 'order'), email: request.visit.customer?.email ?? '' }
    return reply.shopPage('withdrawal', { page: page(), form: { ...form, goods: '', reason: '' } })
  })

  routes.post('/withdrawal', { body: Body }, async (request, reply) => {
    const { visit } = request
    const typed = formOf(request, 'order', 'email', 'goods', 'reason')
    const form = {
      order: typed.order.trim(),
      email: typed.email.trim(),
      goods: typed.goods.trim(),
      reason: typed.reason.trim(),
    }
    const errors: FormErrors = {
      ...emailErrors(form.email),
      ...(form.order === '' ? { order: 'withdraw.errors.order' } : {}),
      ...(form.goods === '' ? { goods: 'withdraw.errors.goods' } : {}),
    }
    if (hasErrors(errors)) return again(reply, form, { errors })
    const declaration = { ...form, shop_id: visit.shop.id, language: visit.language }
    const made = await declare(visit.shop.company_id, declaration, request.ip)
    if (made.kind === 'made') return reply.toShop('/withdrawal/received')
    const minutes = Math.ceil(made.seconds / 60)
    const wrong = { status: WAIT, alarm: 'login.errors.wait', minutes }
    return again(reply.header('retry-after', made.seconds), form, wrong)
  })

  routes.get('/withdrawal/received', {}, async (_request, reply) => reply.shopPage('page', RECEIVED))

  done()
}

/** The form again, with its values and the errors in them. */
function again(
  reply: FastifyReply,
  form: ShopPages['withdrawal']['form'],
  { status = REFUSED, ...wrong }: RefusedForm & { status?: number },
) {
  return reply.shopPage('withdrawal', { page: page(true), form, ...wrong }, { status })
}

import type { FastifyPluginCallback, FastifyReply } from 'fastify'
import type { CustomerAddressState } from '#people/customers/addresses/state.ts'
import { formBody, formOf } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { requireEncryption } from '#platform/pages/encryption.ts'
import { forMembers, pathPart } from '#shop/sign-in/sessions/site.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { changeOwnName, removeOwnAddress, saveOwnAddress } from './commands.ts'
import { addressPage } from './present.ts'
import { getOwnAddress } from './queries.ts'
import {
  ADDRESS_FIELDS,
  type AddressForm,
  addressFaults,
  addressForm,
  faultsIn,
  NAME_FIELDS,
  readForm,
} from './rules.ts'

const REFUSED = 422

const lines = (names: readonly string[]) => formBody(Object.fromEntries(names.map((name) => [name, 'line'])))
const hasAny = (faults: object) => Object.keys(faults).length > 0
const page = (title_key: string, has_error: boolean) => ({ title_key, is_private: true, has_error })
const back = '/account?done=details'

/** Names and addresses as the company of the shop knows them. Other companies have their own. */
export const accountDetailRoutes: FastifyPluginCallback<Pick<ResourceOptions, 'db' | 'now'>> = (
  app,
  { db, now },
  done,
) => {
  requireEncryption(app)
  const routes = shopRoutes(app)

  routes.get(
    '/account/name',
    {},
    forMembers(async (_request, reply, { customer: { first_name, last_name } }) =>
      reply.shopPage('account-name', { page: page('account.name.title', false), form: { first_name, last_name } }),
    ),
  )

  routes.post(
    '/account/name',
    { body: lines(NAME_FIELDS) },
    forMembers(async (request, reply, { session }) => {
      const form = readForm(formOf(request, ...NAME_FIELDS))
      const errors = faultsIn(form, NAME_FIELDS)
      if (hasAny(errors))
        return reply.shopPage(
          'account-name',
          { page: page('account.name.title', true), form, errors },
          { status: REFUSED },
        )
      await app.change((tx) => changeOwnName(tx, session, form, now(request.visit.shop.company_id)))
      return reply.toShop(back)
    }),
  )

  function showAddress(
    reply: FastifyReply,
    form: AddressForm,
    known: CustomerAddressState | undefined,
    errors: Record<string, string> = {},
  ) {
    const title = known === undefined ? 'account.addresses.new' : 'account.addresses.change'
    return reply.shopPage(
      'account-address',
      { page: page(title, hasAny(errors)), ...addressPage(form, known, reply.request.visit.language), errors },
      { status: hasAny(errors) ? REFUSED : 200 },
    )
  }

  routes.get(
    '/account/addresses/:id',
    {},
    forMembers(async (request, reply, { session, customer: { first_name, last_name } }) => {
      const known = await getOwnAddress(db, session, pathPart(request, 'id'))
      const blank = Object.fromEntries(ADDRESS_FIELDS.map((name) => [name, ''])) as AddressForm
      const { country = '' } = request.visit
      return showAddress(
        reply,
        known === undefined ? { ...blank, first_name, last_name, country } : addressForm(known),
        known,
      )
    }),
  )

  routes.post(
    '/account/addresses/:id',
    { body: lines([...ADDRESS_FIELDS, 'default', 'remove']) },
    forMembers(async (request, reply, { session }) => {
      const id = pathPart(request, 'id')
      const known = await getOwnAddress(db, session, id)
      const { remove, default: isDefault } = formOf(request, 'remove', 'default')
      if (remove !== '' && known !== undefined) {
        await app.change((tx) => removeOwnAddress(tx, session, id, now(request.visit.shop.company_id)))
        return reply.toShop(back)
      }
      const form = readForm(formOf(request, ...ADDRESS_FIELDS))
      const errors = addressFaults(form)
      if (hasAny(errors)) return showAddress(reply, form, known, errors)
      const input = { ...form, ...(isDefault === '' ? {} : { default: true as const }) }
      await app.change((tx) => saveOwnAddress(tx, session, known && id, input, now(request.visit.shop.company_id)))
      return reply.toShop(back)
    }),
  )

  done()
}

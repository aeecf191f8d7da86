import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { formBody, formOf, queryText } from '#platform/http/requests/forms.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { countriesIn, isCountry } from '#shop/site/countries.rules.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { addToCart, changeCart, changeQuantity } from '../commands.ts'
import { cartLines, findUnpaid, priceCart } from '../pages.queries.ts'
import { readContents } from '../queries.ts'
import { readLine } from '../rules.ts'
import { keepShopper, shopperOf } from '../shopper.site.ts'
import { createCodeTries } from './discount-tries.commands.ts'

const OFFER_FIELDS = [
  'product_id',
  'license_id',
  'hd',
  'audio_type',
  'num_users',
  'chosen_product_id',
  'quantity',
  'keeps',
] as const
const AddBody = formBody(Object.fromEntries(OFFER_FIELDS.map((name) => [name, 'word'])))
const LineBody = formBody({ line: 'word', quantity: 'word', remove: 'word' })
const CountryBody = formBody({ country: 'word' })
const DiscountBody = formBody({ code: 'word', return_to: 'word' })

const WAIT = 429

/** The pages to which a form leads back. */
const PLACES = new Set(['cart', 'checkout', 'checkout/pay'])

/** The cart of a shop. */
export const cartRoutes: FastifyPluginCallback<Pick<ResourceOptions, 'db' | 'now' | 'clock'>> = (
  app,
  { db, now, clock },
  done,
) => {
  const routes = shopRoutes(app, { priority: 'high' })
  const tryCode = createCodeTries({ db, change: app.change, clock })

  /** `limited` is a code that was not looked at, because there were too many wrong ones. */
  async function showCart(request: FastifyRequest, reply: FastifyReply, limited?: string) {
    const cart = await readContents(db, shopperOf(request))
    const [priced, unpaid] = await Promise.all([
      priceCart(db, request.visit, cart, now(request.visit.shop.company_id)),
      findUnpaid(db, request.visit, cart),
    ])
    const isLimited = limited !== undefined
    return reply.shopPage(
      'cart',
      {
        page: { title_key: 'cart.title', is_private: true, has_error: isLimited },
        lines: cartLines(cart, priced),
        summary: priced.summary,
        country_name: priced.countryName,
        can_check_out: priced.summary !== undefined && priced.refused.size === 0,
        discount_code: limited ?? cart.discount_code,
        is_code_refused: priced.isCodeRefused,
        is_code_limited: isLimited,
        is_refused: queryText(request, 'refused') === '1',
        obstacle: priced.obstacle,
        country: priced.country,
        countries: countriesIn(request.visit.language),
        unpaid,
      },
      isLimited ? { status: WAIT } : {},
    )
  }

  routes.get('/cart', {}, (request, reply) => showCart(request, reply))

  routes.post('/cart', { body: AddBody }, async (request, reply) => {
    const line = readLine(formOf(request, ...OFFER_FIELDS))
    const isAdded =
      line !== undefined &&
      (await app.change((tx) => addToCart(tx, keepShopper(request, reply), line, now(request.visit.shop.company_id))))
    return reply.toShop(isAdded ? '/cart' : '/cart?refused=1')
  })

  routes.post('/cart/lines', { body: LineBody }, async (request, reply) => {
    const { line, quantity, remove } = formOf(request, 'line', 'quantity', 'remove')
    const wanted = remove !== '' ? 0 : /^\d{1,6}$/.test(quantity) ? Number(quantity) : undefined
    if (wanted !== undefined && /^\d{1,3}$/.test(line))
      await app.change((tx) =>
        changeQuantity(tx, keepShopper(request, reply), Number(line), wanted, now(request.visit.shop.company_id)),
      )
    return reply.toShop('/cart')
  })

  // Somebody who has chosen a country that the shop does not serve has to be able to choose another.
  routes.post('/cart/country', { body: CountryBody }, async (request, reply) => {
    const { country } = formOf(request, 'country')
    if (isCountry(country))
      await app.change((tx) =>
        changeCart(
          tx,
          keepShopper(request, reply),
          (cart) => ({ ...cart, details: { ...cart.details, country, shipping_method: '' } }),
          now(request.visit.shop.company_id),
        ),
      )
    return reply.toShop('/cart')
  })

  routes.post('/cart/discount', { body: DiscountBody }, async (request, reply) => {
    const { code: typed, return_to } = formOf(request, 'code', 'return_to')
    const discount_code = typed.trim().slice(0, 100)
    const tried = await tryCode(request.visit.shop.company_id, discount_code, request.ip)
    if (tried.kind === 'wait') {
      reply.header('retry-after', tried.seconds)
      return showCart(request, reply, discount_code)
    }
    await app.change(async (tx) => {
      await tried.forgive(tx)
      await changeCart(
        tx,
        keepShopper(request, reply),
        (cart) => ({ ...cart, discount_code }),
        now(request.visit.shop.company_id),
      )
    })
    return reply.toShop(`/${PLACES.has(return_to) ? return_to : 'cart'}`)
  })

  done()
}

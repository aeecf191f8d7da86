import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#platform/errors/problem.ts'
import { formBody, formOf } from '#platform/http/requests/forms.ts'
import { countriesIn, nameOfCountry } from '#shop/site/countries.rules.ts'
import { shopRoutes } from '#shop/site/shop-routes.site.ts'
import { versionOf } from './cart/version.secrets.ts'
import { changeCart } from './commands.ts'
import { DETAIL_FIELDS, detailsOf, isZipRequired, mistakesIn, readDetails } from './details.rules.ts'
import { type PricedCart, priceCart } from './pages.queries.ts'
import { type CheckoutOptions, createCashier } from './place.commands.ts'
import { readContents } from './queries.ts'
import { countryOf, needsCard, needsConsent, withdrawalEnd } from './rules.ts'
import { browserOf, keepShopper, shopperOf, toPayment } from './shopper.site.ts'
import type { CheckoutDetails, Contents } from './state.ts'
import { createVatIdLookup } from './vat-ids.commands.ts'

const LONG = new Set(['gift_message'])
const DetailsBody = formBody(Object.fromEntries(DETAIL_FIELDS.map((name) => [name, LONG.has(name) ? 'path' : 'line'])))
const PayBody = formBody({
  cart_version: 'word',
  total: 'word',
  currency: 'word',
  gateway: 'word',
  card: 'word',
  now: 'word',
})

const UNPROCESSABLE = 422

/** What the page says when an order is refused; anything else is a price or an offer that has changed meanwhile. */
const REASONS: Readonly<Record<string, string>> = {
  out_of_stock: 'stock',
  customer_disabled: 'refused',
  orders_not_accepted: 'closed',
  payment_gateway_not_offered: 'gateway',
  payment_gateway_required: 'gateway',
  consent_missing: 'consent',
  card_missing: 'card',
  too_many_orders: 'too_many',
  too_much_unpaid: 'unpaid',
  credit_of_test: 'credit_of_test',
}

/** What a customer mends in the cart. */
const OF_CART = new Set(['code_in_cart', 'stock', 'unpaid', 'unpaid_signed_in', 'credit_of_test'])

/** From the cart to a paid order: who the customer is, then how the customer pays. */
export const checkoutRoutes: FastifyPluginCallback<CheckoutOptions> = (app, options, done) => {
  const { db, now } = options
  const routes = shopRoutes(app, { priority: 'high' })
  const cashier = createCashier({ ...options, change: app.change, baseUrl: () => app.baseUrl })
  const lookUpVatId = createVatIdLookup({ ...options, url: options.serviceUrls.vies, change: app.change })

  /** The cart with its prices; undefined if there is nothing that can be bought, and the browser is sent to the cart. */
  async function openCart(request: FastifyRequest) {
    const stored = await readContents(db, shopperOf(request))
    const version = versionOf(stored)
    const cart = { ...stored, details: detailsOf(stored, request.visit) }
    if (cart.lines.length === 0) return { cart, version, priced: undefined }
    const priced = await priceCart(db, request.visit, cart, now(request.visit.shop.company_id))
    const isWhole = priced.summary !== undefined && priced.refused.size === 0
    const shipping_method = priced.summary?.shipping?.title ?? ''
    const details = { ...cart.details, shipping_method }
    return { cart: { ...cart, details }, version, priced: isWhole ? priced : undefined }
  }

  routes.get('/checkout', {}, async (request, reply) => {
    const { cart, priced } = await openCart(request)
    if (priced === undefined) return reply.toShop('/cart')
    return showDetails(reply, cart, priced, await nameOnFile(request, cart.details), {})
  })

  /** A customer who is signed in need not type what the company knows. */
  async function nameOnFile({ visit }: FastifyRequest, details: CheckoutDetails): Promise<CheckoutDetails> {
    const { customer } = visit
    if (customer === undefined || details.first_name !== '' || details.last_name !== '') return details
    return { ...details, first_name: customer.first_name, last_name: customer.last_name }
  }

  function showDetails(
    reply: FastifyReply,
    cart: Contents,
    priced: PricedCart,
    form: CheckoutDetails,
    mistakes: Record<string, string>,
  ) {
    const { visit } = reply.request
    const isWrong = Object.keys(mistakes).length > 0
    const country = form.country || priced.country
    return reply.shopPage(
      'checkout',
      {
        page: { title_key: 'checkout.step_details', is_private: true, is_checkout: true, has_error: isWrong },
        summary: priced.summary,
        form: { ...form, country },
        countries: countriesIn(visit.language),
        needs_address: priced.hasGoods,
        needs_zip: isZipRequired(country),
        shipping_methods: priced.shippingOffers,
        can_be_gift: priced.hasContent,
        mistakes,
        is_wrong: isWrong,
        // The first field with a mistake gets the cursor.
        first_mistake: DETAIL_FIELDS.find((field) => mistakes[field] !== undefined),
        country_name: nameOfCountry(country, visit.language),
        discount_code: cart.discount_code,
        is_code_refused: priced.isCodeRefused,
      },
      isWrong ? { status: UNPROCESSABLE } : {},
    )
  }

  routes.post('/checkout', { body: DetailsBody }, async (request, reply) => {
    const { cart: before, priced } = await openCart(request)
    if (priced === undefined) return reply.toShop('/cart')
    const details = readDetails(formOf(request, ...DETAIL_FIELDS), request.visit.customer?.email)
    const mistakes = mistakesIn(details, priced.hasGoods, now(request.visit.shop.company_id))
    if (Object.keys(mistakes).length > 0) return showDetails(reply, before, priced, details, mistakes)
    const { mistake } = await lookUpVatId(request.visit.shop.company_id, details.vat_id, request.ip)
    if (mistake !== undefined) return showDetails(reply, before, priced, details, { vat_id: mistake })
    // Another country may have other prices, and nothing to offer.
    const after = await priceCart(db, request.visit, { ...before, details }, now(request.visit.shop.company_id))
    if (after.summary === undefined || after.refused.size > 0)
      return showDetails(reply, before, priced, details, { country: 'country' })
    const isNew = details.email !== before.details.email
    if (isNew && !(await cashier.takeAddress(request.visit, request.ip)))
      return showDetails(reply, before, priced, details, { email: 'too_many_addresses' })
    const shipping_method = after.summary.shipping?.title ?? ''
    const kept = { ...details, shipping_method }
    await app.change((tx) =>
      changeCart(
        tx,
        keepShopper(request, reply),
        (cart) => ({ ...cart, details: kept }),
        now(request.visit.shop.company_id),
      ),
    )
    return reply.toShop('/checkout/pay')
  })

  async function showPay(
    reply: FastifyReply,
    { cart, version, priced }: { cart: Contents; version: string; priced: PricedCart },
    said: { chosen?: string; card?: string; consented?: boolean; error?: string } = {},
  ) {
    const { request } = reply
    const gateways = await cashier.offers(request.visit.shop.company_id)
    const { details } = cart
    return reply.shopPage(
      'checkout-pay',
      {
        page: {
          title_key: 'checkout.step_payment',
          is_private: true,
          is_checkout: true,
          has_error: said.error !== undefined,
        },
        summary: priced.summary,
        cart_version: version,
        email: details.email,
        country_name: priced.countryName,
        ships_to: priced.hasGoods
          ? [details.address1, details.zip, details.city].filter(Boolean).join(', ')
          : undefined,
        gift_to: details.is_gift ? details.gift_email : undefined,
        gateways,
        chosen: said.chosen ?? gateways[0]?.name,
        card: said.card ?? '',
        needs_consent: needsConsent(priced.kinds, cart, priced.country),
        consent_text: priced.consentText,
        consented: said.consented ?? false,
        usable_from: withdrawalEnd(now(request.visit.shop.company_id)),
        error: said.error,
        is_cart_wrong: said.error !== undefined && OF_CART.has(said.error),
        discount_code: cart.discount_code,
        is_code_refused: priced.isCodeRefused,
      },
      said.error === undefined ? {} : { status: UNPROCESSABLE },
    )
  }

  routes.get('/checkout/pay', {}, async (request, reply) => {
    const { cart, version, priced } = await openCart(request)
    if (priced === undefined) return reply.toShop('/cart')
    const isReady =
      Object.keys(mistakesIn(cart.details, priced.hasGoods, now(request.visit.shop.company_id))).length === 0
    return isReady ? showPay(reply, { cart, version, priced }) : reply.toShop('/checkout')
  })

  routes.post('/checkout/pay', { body: PayBody }, async (request, reply) => {
    const { visit } = request
    const form = formOf(request, 'cart_version', 'total', 'currency', 'gateway', 'card', 'now')
    const { total, currency, gateway, card, now: consent } = form
    const said = { chosen: gateway, card, consented: consent !== '' }
    const browser = browserOf(request)
    const [cart, landing] = await Promise.all([
      readContents(db, shopperOf(request)),
      options.findLanding(visit.shop.company_id, browser),
    ])
    if (cart.lines.length === 0) return showRefusal(request, reply, said, { order: 'cart_empty' })
    // Another window may have changed the cart since the page was shown.
    if (form.cart_version !== '' && form.cart_version !== versionOf(cart))
      return showRefusal(request, reply, said, { order: 'cart_changed' })
    if (Number(total) > 0 && needsCard(gateway, card))
      return showRefusal(request, reply, said, { order: 'card_missing' })
    // The answer of the first step may be from another day.
    const vatId = await lookUpVatId(visit.shop.company_id, cart.details.vat_id, request.ip)
    if (vatId.mistake !== undefined) return showRefusal(request, reply, said, { vat_id: vatId.mistake })
    const country = countryOf(cart, visit.country)
    try {
      // The order is priced once, while it is placed. A refusal is rare, and prices the cart again for the page.
      const step = await cashier.buy({
        visit,
        cart,
        agreed: { total, currency },
        gateway,
        card,
        landing,
        consented: said.consented,
        vatIdCheck: vatId.check,
        shopper: keepShopper(request, reply),
        place: { shopId: visit.shop.id, currency: visit.currency, country },
        ...browser,
      })
      return toPayment(reply, step)
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error
      return showRefusal(request, reply, said, { order: error.reason })
    }
  })

  /** Says why an order was not placed, on the page where the customer can mend it. */
  async function showRefusal(
    request: FastifyRequest,
    reply: FastifyReply,
    said: { chosen: string; card: string; consented: boolean },
    refused: { vat_id: string } | { order: string },
  ) {
    let opened = await openCart(request)
    const { cart, priced } = opened
    // A second press of the button finds an empty cart, and goes to the order that the first has placed.
    if (cart.lines.length === 0 && cart.details.placed !== '') return reply.toShop(`/orders/${cart.details.placed}`)
    if (priced?.summary === undefined) return reply.toShop('/cart')
    if ('vat_id' in refused) return showDetails(reply, cart, priced, cart.details, { vat_id: refused.vat_id })
    if (Object.keys(mistakesIn(cart.details, priced.hasGoods, now(request.visit.shop.company_id))).length > 0)
      return reply.toShop('/checkout')
    // The next press of the button orders what this page shows.
    if (refused.order === 'shipping_method_unknown') {
      await app.change((tx) =>
        changeCart(
          tx,
          keepShopper(request, reply),
          (before) => ({ ...before, details: cart.details }),
          now(request.visit.shop.company_id),
        ),
      )
      opened = await openCart(request)
    }
    const reason = REASONS[refused.order] ?? (priced.isCodeRefused ? 'code_in_cart' : 'changed')
    const error = reason === 'unpaid' && request.visit.customer !== undefined ? 'unpaid_signed_in' : reason
    return showPay(reply, { cart, version: opened.version, priced }, { ...said, error })
  }

  done()
}

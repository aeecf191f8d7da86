import type { CreateGroup } from '../group.ts'
import { TYPED } from '../values.ts'
import { createWalkers } from '../walk.ts'

/** Guests put something into a cart, say who they are, pay, pay again, and look at their order. */
export const checkout: CreateGroup = ({ scene: { shop }, random }) => {
  const { base, productIds, discountCodes } = shop
  const next = createWalkers(random, {
    starts: () =>
      `${base}${random.pick([...productIds.map((id) => `/products/${id}`), '/cart', '/checkout', '/checkout/pay'])}`,
    forms: /\/(cart|checkout|orders)\b/,
    values: { ...TYPED, code: ['NONE', ...discountCodes] },
    leading: /\/(cart|checkout|pay|second-step)$/,
    browsers: 5,
    onwards: (path) => (path === `${base}/cart` ? `${base}/checkout` : undefined),
  })
  return {
    name: 'checkout',
    share: 10,
    next,
    proofs: {
      'something was put into a cart': ({ method, path }, { headers }) =>
        method === 'POST' && path === `${base}/cart` && headers.get('location') === `${base}/cart`,
      'the details were accepted': ({ method, path }, { headers }) =>
        method === 'POST' && path === `${base}/checkout` && headers.get('location') === `${base}/checkout/pay`,
      'the details were refused': ({ method, path }, { status }) =>
        method === 'POST' && path === `${base}/checkout` && status === 422,
      'an order was placed': ({ method, path }, { headers }) =>
        method === 'POST' &&
        path === `${base}/checkout/pay` &&
        headers.get('location')?.startsWith(`${base}/orders/`) === true,
      'an order was shown': ({ method, path }, { status }) =>
        method === 'GET' && path.startsWith(`${base}/orders/`) && status === 200,
    },
  }
}

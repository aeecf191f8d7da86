import type { CreateGroup } from '../group.ts'
import { CUSTOMER_PASSWORD, someEmail, TYPED } from '../values.ts'
import { createWalkers } from '../walk.ts'

/** Customers sign in by password and by mail, sign up, and have forgotten their password. Mailed links are broken ones. */
export const customerSignIn: CreateGroup = ({ scene: { shop }, random }) => {
  const { base, members } = shop
  const TOKEN = 'x'.repeat(43)
  const next = createWalkers(random, {
    starts: () =>
      `${base}${random.pick(['/login', '/login', '/register', '/reset', `/login/${TOKEN}`, `/customer/${TOKEN}`])}`,
    forms: /\/(login|register|reset|logout|customer)\b/,
    values: {
      ...TYPED,
      // After a few wrong passwords an account has to wait, so it is not always the same one.
      email: () => (random.often(0.7) ? random.pick(members) : someEmail(random)),
      password: [CUSTOMER_PASSWORD, 'wrong'],
    },
    browsers: 2,
  })
  const forms = ['/login', '/register', '/reset']
  return {
    name: 'customer sign-in',
    share: 4,
    next,
    proofs: {
      'a form was refused': ({ method }, { status }) => method === 'POST' && status === 422,
      'somebody was let in by password': ({ method, path }, { status }) =>
        method === 'POST' && path === `${base}/login` && status === 303,
      'a mail was asked for': ({ method, path }, { status }) =>
        method === 'POST' && forms.some((form) => path === `${base}${form}`) && status === 200,
    },
  }
}

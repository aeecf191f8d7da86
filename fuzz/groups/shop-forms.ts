import type { CreateGroup } from '../group.ts'
import { TYPED } from '../values.ts'
import { createWalkers } from '../walk.ts'

/** The forms of a shop that need no account: newsletter, withdrawal, cancellation, language and country. */
export const shopForms: CreateGroup = ({ scene: { shop }, random }) => {
  const { base } = shop
  const next = createWalkers(random, {
    starts: () =>
      `${base}${random.pick(['/', '/withdrawal', '/withdrawal?order=1000', '/cancellation', '/cancellation?number=1', '/pages/imprint', '/search?q=film'])}`,
    forms: /\/(newsletter|withdrawal|cancellation|preferences)\b/,
    values: TYPED,
    leading: /withdrawal|cancellation|preferences/,
    browsers: 2,
  })
  const isSent = (form: string, method: string, path: string) => method === 'POST' && path === `${base}/${form}`
  return {
    name: 'shop forms',
    share: 4,
    next,
    proofs: {
      'a form was accepted': ({ method }, { status }) => method === 'POST' && status === 303,
      'the newsletter was ordered': ({ method, path }, { status }) =>
        isSent('newsletter', method, path) && status === 303,
      'a withdrawal was declared': ({ method, path }, { status }) =>
        isSent('withdrawal', method, path) && status === 303,
      'a cancellation was declared': ({ method, path }, { status }) =>
        isSent('cancellation', method, path) && status === 200,
      'preferences were kept': ({ method, path }, { status }) => isSent('preferences', method, path) && status === 303,
      'a form was refused': ({ method }, { status }) => method === 'POST' && status === 422,
    },
  }
}

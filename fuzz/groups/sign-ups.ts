import type { CreateGroup } from '../group.ts'
import { TYPED } from '../values.ts'
import { createWalkers } from '../walk.ts'

/** Guests look at a membership, choose a plan, say who they are, pay, and look at what begins. */
export const signUps: CreateGroup = ({ scene: { shop }, random }) => {
  const { base, groupId } = shop
  const page = `${base}/memberships/${groupId}`
  const isStep = (path: string, step: string) =>
    path.startsWith(page) && path.split('?')[0]?.endsWith(`/${step}`) === true
  const next = createWalkers(random, {
    starts: () =>
      random.pick([page, page, `${page}?after=3`, `${page}/join`, `${page}/pay?plan=1`, `${page}/preview`, `${page}0`]),
    forms: /\/(memberships|orders)\b/,
    values: { ...TYPED, now: ['1', '1', '1', ''] },
    leading: /\/(join|pay|second-step)$/,
    browsers: 3,
  })
  return {
    name: 'sign-ups',
    share: 6,
    next,
    proofs: {
      'a plan was chosen': ({ method, path }, { headers }) =>
        method === 'POST' && isStep(path, 'join') && headers.get('location')?.includes('/pay?plan=') === true,
      'the details were refused': ({ method, path }, { status }) =>
        method === 'POST' && isStep(path, 'join') && status === 422,
      'somebody signed up': ({ method, path }, { headers }) =>
        method === 'POST' && isStep(path, 'pay') && headers.get('location')?.startsWith(`${base}/orders/`) === true,
      'a sign-up was refused': ({ method, path }, { status }) =>
        method === 'POST' && isStep(path, 'pay') && (status === 422 || status === 409),
    },
  }
}

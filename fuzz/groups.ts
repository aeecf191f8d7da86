import { createRandom } from '#program/demo/random.ts'
import type { CreateGroup, Group, GroupOptions } from './group.ts'
import { addresses } from './groups/addresses.ts'
import { adminApi } from './groups/admin-api.ts'
import { api } from './groups/api.ts'
import { checkout } from './groups/checkout.ts'
import { customerAccount } from './groups/customer-account.ts'
import { customerSignIn } from './groups/customer-sign-in.ts'
import { loginTokens } from './groups/login-tokens.ts'
import { paymentWebhooks } from './groups/payment-webhooks.ts'
import { shopForms } from './groups/shop-forms.ts'
import { shopPages } from './groups/shop-pages.ts'
import { signUps } from './groups/sign-ups.ts'
import { uploads } from './groups/uploads.ts'
import { userPages } from './groups/user-pages.ts'

const GROUPS: readonly CreateGroup[] = [
  api,
  adminApi,
  addresses,
  userPages,
  shopPages,
  checkout,
  customerSignIn,
  customerAccount,
  shopForms,
  loginTokens,
  uploads,
  paymentWebhooks,
  signUps,
]

/** Keeps the random values of two groups apart. */
const SEED_STEP = 0x9e3779b9

export function createGroups(seed: number, options: Omit<GroupOptions, 'random'>): Group[] {
  return GROUPS.map((create, index) => create({ ...options, random: createRandom(seed + index * SEED_STEP) }))
}

/** Says whose turn it is, so that each group gets its share of any number of requests, and every run the same order. */
export function createTurns(groups: readonly Group[]): () => Group {
  const total = groups.reduce((sum, { share }) => sum + share, 0)
  const credits = groups.map((group) => ({ group, credit: 0 }))
  return () => {
    for (const each of credits) each.credit += each.group.share
    const [first, ...others] = credits
    if (first === undefined) throw new Error('there is no group')
    const next = others.reduce((best, each) => (each.credit > best.credit ? each : best), first)
    next.credit -= total
    return next.group
  }
}

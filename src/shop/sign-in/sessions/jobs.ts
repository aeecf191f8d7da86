import { defineJob } from '#platform/jobs/kinds.ts'
import { SIGN_IN_MAIL } from '#platform/jobs/lanes.ts'

/** Somebody who asked a shop for a mail with a link. */
export type AccountMailRequest = {
  purpose: 'sign in' | 'sign up' | 'reset'
  email: string
  companyId: number
  shopId: number
  /** The address of the shop that the link leads to, without a slash at its end. */
  address: string
  /** The page to return to, for links that sign in. */
  returnTo: string
  /** Of somebody who signs up. */
  firstName: string
  lastName: string
  language: string
}

/** Looks the account up and mails the link. */
export const SEND_ACCOUNT_MAIL = defineJob<AccountMailRequest, null>('send mail about an account in a shop', {
  lane: SIGN_IN_MAIL,
})

import { defineJob } from '#platform/jobs/kinds.ts'
import { SIGN_IN_MAIL } from '#platform/jobs/lanes.ts'

/** The customer who asked for a link, and the request of the app that it returns to. */
export type SignInRequest = { email: string; query: string; baseUrl: string; companyId: number; shopId: number }

/** Mails a link for signing in to the customer with the address, if there is one. */
export const SEND_SIGN_IN_LINK = defineJob<SignInRequest, null>('send link to a customer', { lane: SIGN_IN_MAIL })

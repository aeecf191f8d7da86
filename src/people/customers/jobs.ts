import { defineJob } from '#platform/jobs/kinds.ts'
import { BULK_CHANGES } from '#platform/jobs/lanes.ts'

/** A customer whose relation to a company has ended. */
export type Forgotten = {
  customer_id: number
  token: string
  email: string
  /** First and last name; empty if one of them is. Jobs of earlier versions do not have it. */
  name?: string
  /** Nobody knows the customer any more. */
  is_erased: boolean
  /** What was written later is not about this customer. */
  forgotten_at: string
  last_mail_id: number
}

/** Erases what is left of a customer in tables that grow with the shop, such as mails. */
export const ERASE_TRACES = defineJob<Forgotten>('customer/erase-traces', { lane: BULK_CHANGES })

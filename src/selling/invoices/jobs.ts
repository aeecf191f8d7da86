import { defineJob } from '#platform/jobs/kinds.ts'
import { BULK_CHANGES } from '#platform/jobs/lanes.ts'

/**
 * Numbers are given by jobs, so that orders never wait for each other: one company's jobs of this lane run one after
 * another.
 */
export const ISSUE_INVOICE = defineJob<{ order_id: number; due_at?: string }>('invoice/issue', {
  lane: BULK_CHANGES,
  wakes: false,
})

export const ISSUE_CREDIT_NOTE = defineJob<{ order_id: number; refund_id: number }>('invoice/credit', {
  lane: BULK_CHANGES,
  wakes: false,
})

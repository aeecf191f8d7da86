import { defineJob } from '#platform/jobs/kinds.ts'
import { FOLLOW_UPS } from '#platform/jobs/lanes.ts'

/** The data says what a mail is about; the mail is written when it is sent. */
export type OfOrder = { order_id: number }
export type OfRefund = OfOrder & { refund_id: number }
export type LowStock = { product_id: string; title: string; stock: number }

/** Many orders are made at once, and their mails may wait a second. */
const options = { lane: FOLLOW_UPS, wakes: false }

export const CONFIRM_ORDER = defineJob<OfOrder>('order/confirm', options)
export const TELL_CANCELLATION = defineJob<OfOrder>('order/tell-cancellation', options)
export const TELL_REFUND = defineJob<OfRefund>('order/tell-refund', options)
export const TELL_SHIPMENT = defineJob<OfOrder>('order/tell-shipment', options)
export const WARN_OF_STOCK = defineJob<LowStock>('order/warn-of-stock', options)

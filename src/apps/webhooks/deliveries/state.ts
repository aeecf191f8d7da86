/** `pending`: it will be sent, or sent again. `failed`: it was given up. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

/** One try to send a delivery, as it is stored. */
export type Attempt = {
  at: string
  duration_ms: number
  /** The HTTP status of the answer; null if there was none. */
  status: number | null
  /** The first 2 KB of the answer. */
  response: string
  /** Why it failed, in one word and in a sentence; null if it was acknowledged. */
  code: string | null
  reason: string | null
}

export type DeliveryState = {
  company_id: number
  webhook_id: number
  id: number
  event_id: number | null
  message_id: string
  topic: string
  producer: string
  data: Record<string, string | boolean>
  state: DeliveryStatus
  failures: number
  due_at: Date | null
  attempts: Attempt[]
  created_at: Date
  done_at: Date | null
}

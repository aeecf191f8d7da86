/** A device of a customer, as one company knows it. */
export type DeviceState = {
  company_id: number
  id: number
  customer_id: number
  /** As the player names it. */
  device_id: string
  name: string
  created_at: Date
  last_seen_at: Date
  last_client_time: Date | null
}

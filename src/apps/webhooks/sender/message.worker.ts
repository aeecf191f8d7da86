import { createHmac, hash } from 'node:crypto'
import type { DeliveryState } from '../deliveries/state.ts'
import { SYNC_TOPIC } from '../queries.ts'

/** A request to a receiver: body and headers. */
export type Message = { body: string; headers: Record<string, string> }

type Content = Pick<DeliveryState, 'company_id' | 'message_id' | 'topic' | 'producer' | 'data'>

/** Secrets that an app may verify with: the present one, then the previous one while it is good. */
export type Secrets = readonly [string, ...string[]]

const USER_AGENT = 'Licet-Webhooks/1'

/**
 * The signed request of a delivery. `hash` is the interface's own proof; the headers are those of Standard Webhooks, whose
 * key is the bytes of the app's secret.
 */
export function buildMessage(delivery: Content, secrets: Secrets, now: Date): Message {
  const payload = payloadOf(delivery)
  const body = JSON.stringify({ ...payload, hash: hashOf(payload, secrets[0]) })
  const timestamp = Math.floor(now.getTime() / 1000)
  const signed = `${delivery.message_id}.${timestamp}.${body}`
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'webhook-id': delivery.message_id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': secrets.map((secret) => `v1,${signatureOf(signed, secret)}`).join(' '),
    },
  }
}

type Pairs = { [key: string]: string | number | boolean | Pairs }

function payloadOf({ company_id, producer, topic, data }: Content): Pairs {
  return topic === SYNC_TOPIC ? data : { company_id, producer, scope: topic, data }
}

/** The secret, then each key and its value, with nothing in between; an object stands for its own pairs. */
export function hashOf(payload: Pairs, secret: string): string {
  return hash('sha256', secret + textOf(payload), 'hex')
}

function textOf(pairs: Pairs): string {
  return Object.entries(pairs)
    .map(([key, value]) => (typeof value === 'object' ? textOf(value) : `${key}${value}`))
    .join('')
}

function signatureOf(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('base64')
}

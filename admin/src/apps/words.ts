import type { Tone } from '../ui/page.tsx'
import { count, dayAndTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Delivery, Webhook } from './queries.ts'
import { TOPICS } from './topics.gen.ts'

type Topic = (typeof TOPICS)[number]
type Name<Of extends Topic> = Of extends `${infer What}/${infer Verb}` ? `${What}_${Verb}` : never

/** What has happened, in words; a topic that has none by the name that programs use. */
export function topicWords(topic: string): string {
  const known = TOPICS.find((each) => each === topic)
  return known === undefined ? topic : t(`topics.${known.replace('/', '_') as Name<Topic>}`)
}

/** What has happened, in words, with the name that programs use. */
export const topicText = (topic: string): string => `${topicWords(topic)} (${topic})`

const THINGS = [
  'app',
  'customer',
  'entitlement',
  'groupmember',
  'newsrecipient',
  'order',
  'product',
  'subscriber',
] as const

/** What an event is about, in words. */
export function thingText({ type, id }: { type?: string; id?: string }): string {
  const known = THINGS.find((each) => each === type)
  return known === undefined || id === undefined
    ? [type, id].filter(Boolean).join(' ')
    : t(`events.things.${known}`, { id })
}

/** Where events go, as short as is clear: the host and the path. */
export function whereTo(address: string): string {
  if (!URL.canParse(address)) return address
  const { host, pathname } = new URL(address)
  return pathname === '/' ? host : `${host}${pathname}`
}

/** How a webhook is, in a word. */
export function stateOf({ is_active, inactive_reason, failures }: Webhook): { tone: Tone; text: string } {
  if (!is_active)
    return {
      tone: inactive_reason === 'paused' ? 'draft' : 'bad',
      text: t(`webhooks.is.${inactive_reason ?? 'paused'}`),
    }
  return failures > 0 ? { tone: 'bad', text: t('webhooks.is.retrying') } : { tone: 'ok', text: t('webhooks.is.active') }
}

/** What is wrong with a webhook, and what to do about it; undefined if nothing is. */
export function troubleOf(webhook: Webhook): string | undefined {
  const { is_active, inactive_reason, failures, failing_since, next_attempt_at } = webhook
  if (!is_active) return inactive_reason === null ? undefined : t(`webhooks.because.${inactive_reason}`)
  if (failures === 0 || failing_since === null) return undefined
  const since = dayAndTime(failing_since)
  return next_attempt_at === null
    ? t('webhooks.failing', { count: failures, since })
    : t('webhooks.failing_next', { count: failures, since, next: dayAndTime(next_attempt_at) })
}

const LOOKS: Record<Delivery['state'], Tone> = { pending: 'wait', delivered: 'ok', failed: 'bad' }

/** How a delivery is. One that is waiting after a failure looks like a failure. */
export function deliveryState({ state, attempts }: Delivery): { tone: Tone; text: string } {
  if (state === 'pending' && attempts.length > 0) return { tone: 'bad', text: t('webhooks.state.retrying') }
  return { tone: LOOKS[state], text: t(`webhooks.state.${state}`) }
}

/** What came back, in words: the status, or why there was none. */
export function answerOf({ status, code, duration_ms }: Delivery['attempts'][number]): string {
  const what = status === null ? t('webhooks.no_answer', { code: code ?? '' }) : String(status)
  return t('webhooks.after', { what, ms: count(duration_ms) })
}

import { openSecret } from '#oauth/apps.ts'
import type { Clock } from '#platform/clock.ts'
import type { Outbound } from '#platform/outbound.ts'
import type { Vault } from '#platform/vault.ts'
import { wireTime } from '#platform/wire.ts'
import type { Attempt } from '../deliveries/state.ts'
import { isAcknowledged } from '../rules.ts'
import type { Claimed, DueDelivery } from './claims.ts'
import { buildMessage, type Secrets } from './message.ts'

export type TryDelivery = (webhook: Claimed, delivery: DueDelivery) => Promise<Attempt>

/** Sends deliveries, each signed with the secret that its app has now. */
export function createTryDelivery({
  outbound,
  vault,
  clock,
}: {
  outbound: Outbound
  vault: Vault
  clock: Clock
}): TryDelivery {
  const secretsOf = createSecrets(vault)
  return async (webhook, delivery) => {
    const now = clock.now()
    const secrets = secretsOf(webhook, now)
    if (secrets === undefined) return { ...NO_SECRET, at: wireTime(now) }
    const outcome = await outbound.post(webhook.address, buildMessage(delivery, secrets, now))
    const { status, failure } = outcome
    const refusal = failure ?? (isAcknowledged(status) ? undefined : { code: 'refused', reason: inWords(status) })
    return {
      at: wireTime(now),
      duration_ms: Math.round(outcome.durationMs),
      status: status ?? null,
      response: outcome.response,
      code: refusal?.code ?? null,
      reason: refusal?.reason ?? null,
    }
  }
}

const NO_SECRET = {
  duration_ms: 0,
  status: null,
  response: '',
  code: 'no_secret',
  reason: 'The app was registered before secrets could sign events. Give it a new one: npx licet app rotate-secret.',
}

function inWords(status: number): string {
  if (status >= 300 && status < 400)
    return `The receiver answered ${status}. Redirects are not followed: use the address that it leads to.`
  if (status === 410) return 'The receiver answered 410 Gone: it wants no more events.'
  return `The receiver answered ${status}. Only 200 to 299 acknowledge an event.`
}

/** Opened secrets of so many apps are kept: opening one costs more than signing with it. */
const SECRETS_MAX = 1000

function createSecrets(vault: Vault): (webhook: Claimed, now: Date) => Secrets | undefined {
  const opened = new Map<string, string>()
  const open = (sealed: Buffer): string => {
    const key = sealed.toString('base64')
    const known = opened.get(key)
    if (known !== undefined) return known
    const secret = openSecret(vault, sealed)
    if (opened.size >= SECRETS_MAX) opened.clear()
    opened.set(key, secret)
    return secret
  }
  return ({ sealed_secret, previous_sealed_secret, previous_secret_until }, now) => {
    if (sealed_secret === null) return undefined
    const isOverlapping = previous_secret_until !== null && previous_secret_until > now
    return isOverlapping && previous_sealed_secret !== null
      ? [open(sealed_secret), open(previous_sealed_secret)]
      : [open(sealed_secret)]
  }
}

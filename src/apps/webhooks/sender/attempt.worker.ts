import type { Clock } from '#platform/clock.ts'
import type { Vault } from '#platform/identity/vault.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { currentSpan } from '#platform/tracing/trace.ts'
import { wireTime } from '#platform/wire/times.ts'
import type { Attempt } from '../deliveries/state.ts'
import { isAcknowledged } from '../rules.ts'
import { createSecrets } from './app-secrets.worker.ts'
import type { Claimed, DueDelivery } from './claims.commands.ts'
import { buildMessage } from './message.worker.ts'

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
    const at = wireTime(clock.of(webhook.company_id))
    if (secrets === undefined) return { ...NO_SECRET, at }
    const message = buildMessage(delivery, secrets, now)
    const span = currentSpan()
    if (span !== undefined) message.headers.traceparent = span.traceparent
    const outcome = await outbound.post(webhook.address, message)
    const { status, failure } = outcome
    const refusal = failure ?? (isAcknowledged(status) ? undefined : { code: 'refused', reason: inWords(status) })
    return {
      at,
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
  reason: 'The app was registered before secrets could sign events. Give it a new one: npx licet app rotate.',
}

function inWords(status: number): string {
  if (status >= 300 && status < 400 && status !== 304)
    return `The receiver answered ${status}. Redirects are not followed: use the address that it leads to.`
  if (status === 410) return 'The receiver answered 410 Gone: it wants no more events.'
  return `The receiver answered ${status}. Only 200 to 299 acknowledge an event.`
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CompanyTime } from '#platform/clock.ts'
import { RETRY_SECONDS } from '#rights/playbacks/rules.ts'
import { stopOf } from './refusals.present.ts'
import type { Stopped } from './streams.files.ts'

/** Nothing of a playback is kept anywhere: its keys are for it alone. */
export const PRIVATE = {
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
}
export const PLAYLIST = { ...PRIVATE, 'content-type': 'application/vnd.apple.mpegurl' }
export const BYTES = { ...PRIVATE, 'content-type': 'application/octet-stream' }

const REFUSED = 403
const TOO_FAST = 429

/** Tells a player that there is no key, and its person why. */
export function sendStop(
  decision: Stopped,
  { visit }: FastifyRequest,
  reply: FastifyReply,
  now: CompanyTime,
): FastifyReply {
  const isTooFast = decision.kind === 'too fast'
  if (isTooFast) reply.header('retry-after', String(RETRY_SECONDS))
  return reply
    .code(isTooFast ? TOO_FAST : REFUSED)
    .headers(PRIVATE)
    .send(stopOf(decision, visit, now(visit.shop.company_id)))
}

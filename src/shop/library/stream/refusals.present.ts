import { t } from '#platform/text/messages.ts'
import { rightsOf } from '#rights/entitlements/rules.ts'
import { refusalOnPage } from '#shop/site/rights-sentences.rules.ts'
import type { Stopped } from './streams.files.ts'

type Place = { language: string; country: string }

/** Why a running film stops: a word for the player, and a sentence for the person. */
export type Stop = { code: string; reason: string }

export function stopOf(decision: Stopped, place: Place, now: Date): Stop {
  const { language } = place
  if (decision.kind === 'refused')
    return { code: decision.code, reason: refusalOnPage(decision.code, rightsOf(decision.entitlement), now, place) }
  if (decision.kind === 'over' && decision.why === 'elsewhere')
    return { code: 'played_elsewhere', reason: t(language, 'pages.player.stopped.elsewhere') }
  if (decision.kind === 'too fast') return { code: 'too_fast', reason: t(language, 'pages.player.stopped.too_fast') }
  if (decision.kind === 'no hd') return { code: 'hd_refused', reason: t(language, 'pages.player.stopped.hd_refused') }
  return { code: 'over', reason: t(language, 'pages.player.stopped.over') }
}

import { Icon } from '../ui/icons.tsx'
import { countryName, dayAndTime, timeOf } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Trial } from './queries.ts'
import type { Situation } from './situation.ts'

/** What the engine says: allowed or refused, why, and rule by rule. */
export function Verdict({ trial, situation }: { trial: Trial; situation: Situation }) {
  const { decision, rules } = trial.explanation
  const { country } = situation
  const isAllowed = trial.sold && decision.allowed
  const why = trial.sold ? decision.reason : t('try.not_sold', { country: countryName(country) })
  const failed = trial.uses.find(({ code }) => code !== 'allowed')
  return (
    <>
      <div className={isAllowed ? 'notice good' : 'notice bad'} role="status">
        <Icon name={isAllowed ? 'check' : 'close'} />
        <div>
          <p className="strong">{isAllowed ? t('try.allowed') : t('try.refused')}</p>
          <p>{isAllowed ? untilOf(trial) : why}</p>
        </div>
      </div>
      <ul className="explanation verdict-rules">
        {country !== '' && (
          <li className={trial.sold ? 'passed' : 'refused'}>
            <span>{t('try.sold')}</span>
            <span className="muted small">
              {trial.sold
                ? t('try.sold_there', { country: countryName(country) })
                : t('try.not_sold', { country: countryName(country) })}
            </span>
          </li>
        )}
        {rules.map(({ rule, verdict, reason, input }) => (
          <li key={rule} className={verdict}>
            <span>{t(`rights.rules.${rule}` as 'rights.rules.revoked')}</span>
            <span className="muted small">{verdict === 'passed' ? lookedAt(rule, input) : (reason ?? '')}</span>
          </li>
        ))}
      </ul>
      {failed !== undefined && (
        <p className="hint">{t('try.failed_before', { time: dayAndTime(failed.at), reason: failed.reason ?? '' })}</p>
      )}
      {decision.reason !== null && trial.sold && (
        <div>
          <p className="muted small">{t('try.customer_reads')}</p>
          <blockquote className="notice-box customer-reads">{decision.reason}</blockquote>
        </div>
      )}
    </>
  )
}

/** Until when, and what is left of it. */
function untilOf({ explanation: { action, decision } }: Trial): string {
  const { until, remaining } = decision
  return [
    until === null ? t('try.no_end') : t('try.until', { time: dayAndTime(until) }),
    ...(remaining.downloads === null || action !== 'download'
      ? []
      : [t('try.downloads_left', { count: remaining.downloads })]),
    ...(remaining.devices === null || action !== 'play' ? [] : [t('try.devices_left', { count: remaining.devices })]),
  ].join(' ')
}

/** What a rule that passed has looked at, where that tells something. */
function lookedAt(rule: string, input: Record<string, unknown>): string {
  if (rule === 'expiry' && typeof input.ends_at === 'string')
    return t('try.ends_at', { time: dayAndTime(timeOf(input.ends_at).toISOString().slice(0, 19)) })
  if (rule === 'device' && Array.isArray(input.holding) && input.counted === true)
    return t('try.playing_now', { count: input.holding.length })
  return t('rights.passed')
}

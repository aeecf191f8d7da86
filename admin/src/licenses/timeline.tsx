import { useId } from 'react'
import { dayAndTime, timeOf } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Trial } from './queries.ts'

const MINUTE = 60_000
/** The steps of the handle: the smallest one that needs no more than a few hundred for the whole line. */
const STEPS = [5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 6 * 60 * MINUTE, 24 * 60 * MINUTE]
const STEPS_MAX = 800
const WIDE = 1000

type TimelineProps = {
  trial: Trial
  bought: Date
  at: Date
  move: (at: Date) => void
}

/** The time from the purchase on, in the colours of what the engine says, with a handle for the moment that is asked about. */
export function Timeline({ trial, bought, at, move }: TimelineProps) {
  const id = useId()
  const end = Math.max(timeOf(trial.until).getTime(), at.getTime())
  const length = Math.max(end - bought.getTime(), MINUTE)
  const step = STEPS.find((each) => length / each <= STEPS_MAX) ?? Math.ceil(length / STEPS_MAX / MINUTE) * MINUTE
  const place = Math.round((at.getTime() - bought.getTime()) / step)
  const spans = trial.periods.map(({ from, code }, index) => {
    const next = trial.periods[index + 1]
    const begin = Math.max(0, timeOf(from).getTime() - bought.getTime())
    const until = next === undefined ? length : timeOf(next.from).getTime() - bought.getTime()
    return { from, code, x: (begin / length) * WIDE, width: (Math.max(0, until - begin) / length) * WIDE }
  })
  const wire = (time: Date) => time.toISOString().slice(0, 19)
  const verdict = codeAt(trial, at) === 'allowed' ? t('try.allowed') : t('try.refused')
  return (
    <div className="time-line">
      <label className="strong" htmlFor={id}>
        {t('try.moment')}
      </label>
      <svg className="time-bands" viewBox={`0 0 ${WIDE} 8`} preserveAspectRatio="none" aria-hidden="true">
        {spans.map(({ from, code, x, width }) => (
          <rect key={from} className={code === 'allowed' ? 'yes' : 'no'} x={x} y={0} width={width} height={8} />
        ))}
      </svg>
      <input
        id={id}
        type="range"
        min={0}
        max={Math.ceil(length / step)}
        value={place}
        aria-valuetext={t('try.moment_said', { time: dayAndTime(wire(at)), verdict })}
        onChange={({ target }) => move(new Date(bought.getTime() + Number(target.value) * step))}
      />
      <div className="time-ends muted small">
        <span>{dayAndTime(wire(bought))}</span>
        <span>{dayAndTime(wire(new Date(end)))}</span>
      </div>
    </div>
  )
}

/** What the engine has said for a moment. */
function codeAt({ periods }: Trial, at: Date): string | undefined {
  return periods.findLast(({ from }) => timeOf(from) <= at)?.code
}

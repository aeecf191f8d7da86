import './chart.css'
import { percent } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { Icon } from '../icons.tsx'

type FigureProps = {
  name: string
  now: number | undefined
  before: number | undefined
  show: (value: number) => string
  /** Is more of it worse? */
  isBad?: boolean
}

/** A number of a period, and what it was before. */
export function Figure({ name, now, before, show, isBad = false }: FigureProps) {
  return (
    <div>
      <dt className="muted">{name}</dt>
      <dd className="value">{now === undefined ? <span className="skeleton" /> : show(now)}</dd>
      <dd className="small muted">
        {now !== undefined && before !== undefined && (
          <>
            <Change now={now} before={before} isBad={isBad} /> {t('home.from', { value: show(before) })}
          </>
        )}
      </dd>
    </div>
  )
}

/** A share in percent. Where there is no whole, there is no share. */
type ShareProps = { name: string; now: number | null | undefined; before: number | null | undefined }

export function ShareFigure({ name, now, before }: ShareProps) {
  const show = (value: number) => percent(value / 100, { maximumFractionDigits: 1 })
  return (
    <div>
      <dt className="muted">{name}</dt>
      <dd className="value">{now === undefined ? <span className="skeleton" /> : now === null ? '–' : show(now)}</dd>
      <dd className="small muted">{before == null ? '' : t('home.from', { value: show(before) })}</dd>
    </div>
  )
}

type ChangeProps = { now: number; before: number; isBad?: boolean }

/** The change in percent, with an arrow and a word for screen readers. There is no percentage if it was zero before. */
export function Change({ now, before, isBad = false }: ChangeProps) {
  const share = before === 0 ? 0 : Math.abs(now - before) / before
  if (Math.round(share * 100) === 0) return null
  const isMore = now > before
  return (
    <span className={isMore === isBad ? 'change less' : 'change more'}>
      <Icon name={isMore ? 'up' : 'down'} size={12} />
      <span className="hidden">{t(isMore ? 'home.more' : 'home.less')}</span>
      {percent(share)}
    </span>
  )
}

import './tour.css'
import { useNavigate } from '@tanstack/react-router'
import { useEveryDay, useNowAndThen } from '../shell/permitted.ts'
import { Button } from '../ui/button.tsx'
import { t } from '../words/words.ts'
import { endTour, goToStop, STOPS } from './tour.ts'

/** What the screen is for, and the ways on, back and out. It stays while somebody looks around. */
export default function TourBar({ place }: { place: number }) {
  const navigate = useNavigate()
  const permitted = new Set<string>([...useEveryDay(), ...useNowAndThen()].map(({ to }) => to))
  const stops = STOPS.filter(({ to }) => permitted.has(to))
  const [shown, before, after] = [stops[place], stops[place - 1], stops[place + 1]]
  if (shown === undefined) return null
  const go = (next: number) => {
    goToStop(next)
    void navigate({ to: stops[next]?.to ?? '/' })
  }
  return (
    <section className="tour" aria-label={t('tour.title')}>
      <p className="grow" role="status">
        <span className="muted figure">{t('tour.place', { place: place + 1, count: stops.length })}</span>{' '}
        <span className="strong">{t(`menu.${shown.stop}`)}</span>
        <br />
        {t(`tour.texts.${shown.stop}`)}
      </p>
      <div className="actions">
        <Button look="plain" onClick={endTour}>
          {t(after === undefined ? 'tour.end' : 'tour.leave')}
        </Button>
        {before !== undefined && <Button onClick={() => go(place - 1)}>{t('common.back')}</Button>}
        {after !== undefined && (
          <Button look="primary" onClick={() => go(place + 1)}>
            {t('tour.next', { title: t(`menu.${after.stop}`) })}
          </Button>
        )}
      </div>
    </section>
  )
}

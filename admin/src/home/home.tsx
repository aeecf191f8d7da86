import './home.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useMay, useSession } from '../session/session.ts'
import { followZone } from '../settings/zones.ts'
import { Page } from '../ui/page.tsx'
import { Segments } from '../ui/segments.tsx'
import { dayText } from '../words/format.ts'
import { t } from '../words/words.ts'
import { Activity } from './activity.tsx'
import { Attention } from './attention.tsx'
import { Figures } from './figures.tsx'
import { LatestOrders } from './latest-orders.tsx'
import { overviewQuery, type Period } from './queries.ts'
import { Readiness } from './readiness.tsx'

const PERIODS: readonly Period[] = ['today', 'last_7_days', 'last_30_days']

/** What must I do, how is it going, what just happened? */
export function Home() {
  const { user } = useSession()
  useEffect(() => void followZone({ id: user.id, time_zone: user.time_zone }), [user.id, user.time_zone])
  const [period, setPeriod] = useState<Period>('today')
  const mayAccount = useMay('accounting')
  const mayManage = useMay('create_users')
  const hello = user.first_name === '' ? undefined : t('home.hello', { name: user.first_name })
  return (
    <Page
      title={t('menu.home')}
      about={mayAccount ? <Compared period={period} /> : hello}
      actions={
        mayAccount && (
          <Segments
            label={t('home.period')}
            values={PERIODS.map((value) => ({ value, title: t(`home.periods.${value}`) }))}
            chosen={period}
            choose={setPeriod}
          />
        )
      }
    >
      {mayManage && <Readiness />}
      <div className="columns home">
        <div className="stack">
          {mayAccount && <Figures period={period} />}
          <LatestOrders />
        </div>
        <div className="stack">
          <Attention />
          {mayManage && <Activity />}
        </div>
      </div>
    </Page>
  )
}

/** Which days are shown, and with which they are compared. The day is that of the shop. */
function Compared({ period }: { period: Period }) {
  const { company } = useSession()
  const { data } = useQuery(overviewQuery(company.id))
  if (data === undefined) return <span className="skeleton" />
  const { start_date, end_date } = data[period]
  const day = { day: 'numeric', month: 'long' } as const
  if (period !== 'today')
    return t('home.compared.days', {
      from: dayText(start_date, day),
      to: dayText(end_date, day),
      count: period === 'last_7_days' ? 7 : 30,
    })
  return t('home.compared.today', {
    day: dayText(end_date, { weekday: 'long', ...day }),
    weekday: dayText(end_date, { weekday: 'long' }),
  })
}

import './app-licenses.css'
import type { Schemas } from '@licet/client'
import { useQuery } from '@tanstack/react-query'
import { Chip, type Tone } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { dayAndTime, list } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Customer, deviceLicensesQuery, readingLicensesQuery } from './queries.ts'
import type { Right } from './right.tsx'

type ReadingLicense = Schemas['ReadingLicense']
type DeviceLicense = Schemas['DeviceLicense']
type Status = ReadingLicense['status'] | DeviceLicense['status']

const TONES: Record<Status, Tone> = {
  ready: 'ok',
  active: 'ok',
  not_started: 'wait',
  suspended: 'wait',
  expired: 'draft',
  returned: 'draft',
  replaced: 'draft',
  revoked: 'bad',
  cancelled: 'bad',
}

/** The licenses that apps of the customer have got: for reading apps, and for devices that play without a connection. */
export function AppLicenses({ customer, right }: { customer: Customer; right: Right }) {
  const reading = useQuery(readingLicensesQuery(customer.token, right.id))
  const devices = useQuery(deviceLicensesQuery(customer.token, right.id))
  const failed = [reading, devices].find(({ isError }) => isError)
  if (failed !== undefined) return <Problem error={failed.error} retry={() => void failed.refetch()} />
  const lines = [...(reading.data?.rows ?? []).map(lineOfReading), ...(devices.data?.rows ?? []).map(lineOfDevice)]
  if (lines.length === 0) return null
  return (
    <section className="app-licenses" aria-label={t('app_licenses.title')}>
      <p className="strong">{t('app_licenses.title')}</p>
      <ul>
        {lines.map(({ key, name, status, said }) => (
          <li key={key}>
            <span className="grow">
              {name}
              {said.map((sentence) => (
                <span key={sentence} className="muted small block">
                  {sentence}
                </span>
              ))}
            </span>
            <Chip tone={TONES[status]}>{t(`app_licenses.states.${status}`)}</Chip>
          </li>
        ))}
      </ul>
      <p className="muted small">{t('app_licenses.ends')}</p>
    </section>
  )
}

type Line = { key: string; name: string; status: Status; said: string[] }

function lineOfReading({ id, name, status, issued_at, ends_at, returned_at, renewals, devices }: ReadingLicense): Line {
  const said = [
    t('app_licenses.reading', { time: dayAndTime(issued_at) }),
    devices.length === 0
      ? t('app_licenses.unopened')
      : t('app_licenses.opened', { count: devices.length, list: list([...new Set(devices.map((each) => each.name))]) }),
    ...(ends_at === null ? [] : [t('rights.ends', { time: dayAndTime(ends_at) })]),
    ...(renewals === 0 ? [] : [t('app_licenses.renewed', { count: renewals })]),
    ...(returned_at === null ? [] : [t('app_licenses.returned', { time: dayAndTime(returned_at) })]),
  ]
  return { key: `reading ${id}`, name, status, said }
}

function lineOfDevice({ id, name, status, device, issued_at, refreshed_at, ends_at, closed_at }: DeviceLicense): Line {
  const said = [
    t('app_licenses.device', { device, time: dayAndTime(issued_at) }),
    ...(refreshed_at === issued_at ? [] : [t('app_licenses.refreshed', { time: dayAndTime(refreshed_at) })]),
    closed_at === null
      ? t('rights.ends', { time: dayAndTime(ends_at) })
      : t('app_licenses.returned', { time: dayAndTime(closed_at) }),
  ]
  return { key: `device ${id}`, name, status, said }
}

import { api } from '../api.ts'
import { queries } from '../queries.ts'
import { sessionQuery } from '../session/session.ts'

/** How many minutes the clocks of a zone are ahead of UTC. */
export function offsetOf(zone: string, at = new Date()): number {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(at)
  const said = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = '0', minutes = '0'] = /^GMT([+-])(\d+):(\d+)/.exec(said) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** An offset as people write it. */
export function offsetText(minutes: number): string {
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const clock = `${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
  return minutes === 0 ? 'UTC' : `UTC${minutes < 0 ? '−' : '+'}${clock}`
}

export const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Where the browser remembers which zone somebody has chosen: the service stores its offset only. */
const memoryOf = (userId: number) => `licet time zone ${userId}`

export const rememberZone = (userId: number, zone: string) => localStorage.setItem(memoryOf(userId), zone)

/** The zone that somebody has chosen here, or that of the browser, if the stored offset is theirs in summer or winter. */
export function zoneOf(userId: number, offset: number): string | undefined {
  const year = new Date().getUTCFullYear()
  const days = [new Date(), new Date(Date.UTC(year, 0, 1)), new Date(Date.UTC(year, 6, 1))]
  const candidates = [localStorage.getItem(memoryOf(userId)), ownZone()]
  return candidates.filter((zone) => zone !== null).find((zone) => days.some((day) => offsetOf(zone, day) === offset))
}

/** The offset that a user should have: that of the browser where none was chosen yet, and that of summer or winter. */
export function offsetToSet(user: { id: number; time_zone: number }): number | undefined {
  const isChosen = localStorage.getItem(memoryOf(user.id)) !== null
  const zone = zoneOf(user.id, user.time_zone) ?? (user.time_zone === 0 && !isChosen ? ownZone() : undefined)
  const offset = zone === undefined ? undefined : offsetOf(zone)
  return offset === user.time_zone ? undefined : offset
}

/** Sets the time zone at the first visit, and follows summer time. Nobody is told if it fails: the next visit tries again. */
export async function followZone(user: { id: number; time_zone: number }): Promise<void> {
  const time_zone = offsetToSet(user)
  if (time_zone === undefined) return
  await api.request('PUT', '/admin/api/user.json', { body: { user: { time_zone } } }).catch(() => undefined)
  await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
}

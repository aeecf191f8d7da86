import { timeOf } from '../../words/format.ts'

/** A day where the reader is, as a field for days has it. */
export function dayOf(time: Date): string {
  const part = (value: number, length: number) => String(value).padStart(length, '0')
  return [part(time.getFullYear(), 4), part(time.getMonth() + 1, 2), part(time.getDate(), 2)].join('-')
}

/** The beginning of a day where the reader is, as the API takes it. */
export function beginningOf(day: string, daysLater = 0): string {
  const time = new Date(`${day}T00:00:00`)
  time.setDate(time.getDate() + daysLater)
  return time.toISOString().slice(0, 19)
}

/** The last day that ends before a time. */
export const lastDayBefore = (wire: string) => dayOf(new Date(timeOf(wire).getTime() - 1000))

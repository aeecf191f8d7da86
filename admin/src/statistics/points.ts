import type { Point } from '../ui/charts/chart.tsx'
import { dayText } from '../words/format.ts'
import { t } from '../words/words.ts'

export type Group = 'day' | 'week' | 'month'

export type Measured = { date: string; line: number; bar: number }

/** About so many names fit below a chart on a phone. */
const TICKS = 5

/** The day, or the month, that a record is of. */
export function whenOf(date: string, group: Group): string {
  if (group === 'month') return dayText(date, { month: 'long', year: 'numeric' })
  return dayText(date, { weekday: 'long', day: 'numeric', month: 'long' })
}

function tickOf(date: string, group: Group, length: number): string {
  if (group === 'month') return dayText(date, { month: 'short' })
  return dayText(date, length <= 7 ? { weekday: 'short' } : { day: 'numeric', month: 'short' })
}

type Shown = { line: (value: number) => string; bar: (value: number) => string }

/** The points of a chart, each beside the one at the same place in the time before. */
export function pointsOf(now: readonly Measured[], before: readonly Measured[], group: Group, show: Shown): Point[] {
  const every = now.length <= 7 ? 1 : Math.ceil(now.length / TICKS)
  return now.map(({ date, line, bar }, place) => {
    const { line: lineBefore = 0, bar: barBefore = 0 } = before[place] ?? {}
    return {
      tick: (now.length - 1 - place) % every === 0 ? tickOf(date, group, now.length) : '',
      said: t('statistics.point', {
        when: whenOf(date, group),
        line: show.line(line),
        bar: show.bar(bar),
        line_before: show.line(lineBefore),
        bar_before: show.bar(barBefore),
      }),
      line,
      lineBefore,
      bar,
      barBefore,
    }
  })
}

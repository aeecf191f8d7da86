/** One thing that was looked at: what it is, what came out, and what was aimed at. */
export type Finding = {
  what: string
  /** As a reader sees it, with its unit. */
  figure: string
  aim?: string
  /** False is a shortfall, which the page lists first. */
  isMet: boolean
}

export type Scale = {
  /** Whether everything runs, on little data and in little time, as the tests do it. */
  isShort: boolean
  /** How long load lasts, of the parts that put the service under load. */
  minutes: number
  /** How often something is broken, of the parts that break things. */
  rounds: number
  /** The commit from which this one is upgraded, if not the one before the last migration. */
  from?: string | undefined
  /** How much data there is, in percent of the whole, of the parts that need much; if absent, all of it. */
  percent?: number | undefined
  onProgress: (text: string) => void
}

export type Part = {
  title: string
  /** What is done and how it is checked, for somebody who reads the figures. */
  about: string
  prove(scale: Scale): Promise<Finding[]>
}

/** What a finding says if it holds or not, without a figure. */
export function holds(what: string, isMet: boolean): Finding {
  return { what, figure: isMet ? 'yes' : 'no', isMet }
}

/** A figure that must not be above its aim. */
export function atMost(what: string, value: number, aim: number, unit: string): Finding {
  return { what, figure: shown(value, unit), aim: `at most ${shown(aim, unit)}`, isMet: value <= aim }
}

/** A figure that must not be below its aim. */
export function atLeast(what: string, value: number, aim: number, unit: string): Finding {
  return { what, figure: shown(value, unit), aim: `at least ${shown(aim, unit)}`, isMet: value >= aim }
}

/** A figure that is said for its own sake. */
export function figure(what: string, value: number, unit: string): Finding {
  return { what, figure: shown(value, unit), isMet: true }
}

const THREE_DIGITS = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

function shown(value: number, unit: string): string {
  const number = Math.abs(value) >= 1000 ? WHOLE.format(value) : THREE_DIGITS.format(value)
  return unit === '' ? number : `${number} ${unit}`
}

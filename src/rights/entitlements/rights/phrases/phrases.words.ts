import type { Unit } from '../periods.rules.ts'
import type { Refusal } from '../rules.ts'

/** Details that a sentence may mention, in the words of the language. */
export type Details = { date: string; pages: string }

/** How one language says what a license allows, and why something is refused. */
export type Phrases = {
  /** The country whose dates and numbers are used. */
  region: string
  units: Record<Unit | 'pages', (count: number, shown: string) => string>
  noEnd: string
  endsOn: (date: string) => string
  afterAcquisition: (period: string) => string
  afterFirstUse: (period: string) => string
  noPlaying: string
  noDownloads: string
  downloads: (count: number, shown: string) => string
  downloadsAYear: (count: number, shown: string) => string
  devicesAtOnce: (count: number, shown: string) => string
  devicesAYear: (count: number, shown: string) => string
  exports: (count: number, shown: string) => string
  exportsWithoutLimit: string
  exportsAYear: (count: number, shown: string) => string
  burns: (count: number, shown: string) => string
  burnsWithoutLimit: string
  prints: (pages: number, shown: string) => string
  printsWithoutLimit: string
  noProtection: string
  refusals: Record<Refusal, (details: Details) => string>
}

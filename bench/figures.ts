import type { Sample } from './measure.ts'

/**
 * What a case is remembered by. Every ratio is of the floor to the service, or of what the service should not exceed to what
 * it takes, so that more is better and 1 means equal.
 */
export type Figure = {
  name: string
  /** How many answers were compared with the floor's, or with what they have to be. */
  compared: number
  /** Of speed. */
  ratio?: number
  /** Of CPU time of Node for one request. */
  cpuRatio?: number
  cpuMs?: number
  /** Of CPU time of PostgreSQL for one request. */
  databaseRatio?: number
  databaseMs?: number
  memoryMb?: number
}

/** What a section has to say: figures for the history, lines for the reader, and everything else for the file of results. */
export type Measured = { figures: Figure[]; lines: string[]; details: object }

export type CaseResult = {
  case: { name: string; title: string; aim?: number }
  floor: Sample
  service: Sample
  compared: number
}

/** The full list is compared by bytes, everything else by requests. */
export function ratioOf({ case: { name }, service, floor }: CaseResult): number {
  return name === 'full' ? service.megabytesPerSecond / floor.megabytesPerSecond : service.perSecond / floor.perSecond
}

export function figureOf(result: CaseResult): Figure {
  const { service, floor, compared } = result
  return {
    name: result.case.name,
    compared,
    ratio: ratioOf(result),
    ...costFigures(floor, service),
  }
}

type Cost = Pick<Sample, 'cpuMs' | 'databaseMs'>

export function costFigures(floor: Cost, service: Cost) {
  return {
    cpuRatio: floor.cpuMs / service.cpuMs,
    cpuMs: service.cpuMs,
    databaseRatio: floor.databaseMs / service.databaseMs,
    databaseMs: service.databaseMs,
  }
}

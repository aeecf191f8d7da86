import type { Measured } from '../figures.ts'
import type { Options } from '../options.ts'
import { inScope } from '../processes.ts'
import { aimLine, number, verdict } from '../report.ts'
import { measureChecks } from './checks.ts'
import { measureRenewals, type Renewals } from './renewals.ts'

const PER_SECOND_MIN = 100
/** The memory of the worker may grow by so much after the first tenth of the renewals. */
const GROWTH_MAX = 1.5

/** What members of a group ask for, and what they pay. */
export async function measureMembers(options: Options): Promise<Measured> {
  const checks = await inScope(() => measureChecks(options))
  const renewals = await inScope(() => measureRenewals(options))
  const { perSecond, cpuMs, databaseMs, memoryMb, compared } = renewals
  const figure = { name: 'renewals', compared, cpuMs, databaseMs, memoryMb: memoryMb.peak }
  return {
    figures: [...checks.figures, { ...figure, ratio: perSecond / PER_SECOND_MIN }],
    lines: [...checks.lines, ...lines(renewals)],
    details: { checks: checks.details, renewals },
  }
}

function lines({ due, renewed, perSecond, cpuMs, databaseMs, memoryMb, otherMs }: Renewals): string[] {
  return [
    `renewals, of ${number(due)} that are due: ${number(renewed)}, with their mails and events`,
    `a second, on two cores: ${number(perSecond)} (aim ≥${PER_SECOND_MIN}) ${verdict(perSecond >= PER_SECOND_MIN)}`,
    `CPU time of one: ${number(cpuMs, 2)} ms of Node and ${number(databaseMs, 2)} ms of PostgreSQL`,
    `a job of another company: ${number(otherMs.median)} ms in the middle, ${number(otherMs.most)} ms at most`,
    aimLine('memory of the worker, times that after a tenth', memoryMb.peak / memoryMb.early, '', GROWTH_MAX, 2),
  ]
}

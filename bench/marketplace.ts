import type { Measured } from './figures.ts'
import { TESTED_CORE } from './machine.ts'
import type { Step } from './marketplace-child.ts'
import type { Options } from './options.ts'
import { nextLine, run } from './processes.ts'
import { number } from './report.ts'
import { makeFolder } from './services.ts'

const WAIT_MS = 1_800_000
const SMOKE_PRODUCTS = 60

/** Measures what adding and following a large marketplace offer costs. */
export async function measureMarketplace({ products, smoke }: Options): Promise<Measured> {
  console.log('Measuring a large offer …')
  const folder = await makeFolder(smoke)
  const child = run(TESTED_CORE, ['bench/marketplace-child.ts', folder, String(smoke ? SMOKE_PRODUCTS : products)])
  const steps: Step[] = JSON.parse(await nextLine(child, WAIT_MS))
  await child.finished()
  return {
    figures: steps.map(({ name, cpuMs, mbMax }) => ({ name, compared: 1, cpuMs, memoryMb: mbMax })),
    lines: steps.map(
      ({ name, ms, cpuMs, mbBefore, mbMax }) =>
        `${name}: ${number(ms)} ms, CPU ${number(cpuMs)} ms, memory ${mbBefore} MB, at most ${mbMax} MB`,
    ),
    details: { steps },
  }
}

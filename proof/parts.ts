import { clock } from './clock.ts'
import { disk } from './disk.ts'
import { faults } from './faults.ts'
import type { Part } from './findings.ts'
import { growth } from './growth.ts'
import { load } from './load.ts'
import { machines } from './machines.ts'
import { partners } from './partners.ts'
import { renewals } from './renewals.ts'
import { webhooks } from './webhooks.ts'

/** Every part of the proof, in the order of the page. Each has a short form that runs with the tests. */
export const PARTS: Readonly<Record<string, Part>> = {
  load,
  faults,
  disk,
  clock,
  partners,
  machines,
  webhooks,
  renewals,
  growth,
}

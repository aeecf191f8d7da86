import { defineJob } from '#platform/jobs/kinds.ts'
import type { Lane } from '#platform/jobs/lanes.ts'

/** Moves of clocks. Each keeps its slot for a few seconds, and then the others have their turn. */
const CLOCKS: Lane = { name: 'clocks', slots: 2, slotsPerCompany: 2 }

/**
 * Moves the clock of a sandbox on. It is nobody's job, because those of the sandbox wait for it, and a time of the machine is
 * enough for it.
 */
export const MOVE_CLOCK = defineJob<{ company_id: number }, null>('test-clock/move', { lane: CLOCKS })

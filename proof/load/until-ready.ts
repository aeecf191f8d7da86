import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from './run.ts'

const AGAIN_MS = 50
const READY_MS = 180_000

/** Waits until the service says that it is ready. */
export async function untilReady({ address }: Pick<Stage, 'address'>): Promise<void> {
  const deadline = performance.now() + READY_MS
  for (;;) {
    const answer = await fetch(`${await address()}/ready`).catch(() => undefined)
    if (answer?.status === 200) return
    if (performance.now() > deadline) throw new Error('the service did not get ready again')
    await sleep(AGAIN_MS)
  }
}

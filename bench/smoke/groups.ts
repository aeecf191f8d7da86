import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '#test/start/program.ts'
import type { Section } from '../options.ts'
import { DEFINITIONS } from '../sections.ts'

const RUN = fileURLToPath(new URL('../run.ts', import.meta.url))

/** The sections that one test file runs, by the name of the file. */
export const GROUPS = {
  api: ['main'],
  shop: ['shop', 'rights', 'members'],
  statistics: ['statistics', 'start'],
  webhooks: ['webhooks', 'files'],
  protected: ['protected'],
  large: ['large', 'marketplace', 'orders'],
} as const satisfies Record<string, Section[]>

const running = new Set<() => void>()

/** Stops the benchmarks that a test of the file has left running. */
export function stopBenches(): void {
  for (const stop of running) stop()
}

let shop: Promise<string> | undefined

/** Runs the benchmark as a contributor does, in a process of its own. Files of one process share the small shop. */
export async function bench(...args: string[]): Promise<{ code: number | null; out: string; complaints: string }> {
  shop ??= temporaryFolder('licet-bench-')
  const env = { ...process.env, LICET_BENCH_SHOP: await shop }
  const child = spawn(process.execPath, [RUN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = () => child.kill('SIGTERM')
  running.add(stop)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [code, out, complaints] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  running.delete(stop)
  return { code, out, complaints }
}

/** A test that runs every case of the sections of a group. */
export function testGroup(name: keyof typeof GROUPS): void {
  const sections: readonly Section[] = GROUPS[name]
  after(stopBenches)
  test(`npm run bench -- --smoke ${sections.join(' ')} runs every case, and compares answers in each`, async () => {
    const { code, out, complaints } = await bench('--smoke', ...sections)
    assert.equal(code, 0, complaints)
    const compared = [...out.matchAll(/^ok (\S+) (\d+)$/gm)].map(([, name, count]) => [name, Number(count) > 0])
    const wanted = sections.flatMap((section) => DEFINITIONS[section].cases.map((name) => [`${section}/${name}`, true]))
    assert.deepEqual(compared.toSorted(), wanted.toSorted())
  })
}

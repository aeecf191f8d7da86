import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { IN_SMOKE, SECTIONS } from './options.ts'
import { DEFINITIONS, missingIn } from './sections.ts'

const RUN = fileURLToPath(new URL('run.ts', import.meta.url))

const running = new Set<() => void>()
after(() => {
  for (const stop of running) stop()
})

/** Runs the benchmark as a contributor does, in a process of its own. */
async function bench(...args: string[]): Promise<{ code: number | null; out: string; complaints: string }> {
  const child = spawn(process.execPath, [RUN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = () => child.kill('SIGTERM')
  running.add(stop)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [code, out, complaints] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  running.delete(stop)
  return { code, out, complaints }
}

describe('npm run bench -- --smoke', () => {
  test('runs every case of every section, and compares answers in each', async () => {
    const { code, out, complaints } = await bench('--smoke')
    assert.equal(code, 0, complaints)
    const compared = [...out.matchAll(/^ok (\S+) (\d+)$/gm)].map(([, name, count]) => [name, Number(count) > 0])
    const wanted = IN_SMOKE.flatMap((section) => DEFINITIONS[section].cases.map((name) => [`${section}/${name}`, true]))
    assert.deepEqual(compared.toSorted(), wanted.toSorted())
  })

  test('leaves out no section but the proof, which is a test of its own', () => {
    assert.deepEqual(
      SECTIONS.filter((section) => !IN_SMOKE.includes(section)),
      ['webhooks-proof'],
    )
    for (const section of IN_SMOKE) assert.ok(DEFINITIONS[section].cases.length > 0, section)
  })
})

describe('a smoke run', () => {
  const figure = (name: string, compared = 1) => ({ name, compared })
  const measured = (...figures: { name: string; compared: number }[]) => ({ figures, lines: [], details: {} })

  test('fails if a section ran no case', () => {
    assert.deepEqual(missingIn('files', measured()), [
      'files/upload did not run',
      'files/download did not run',
      'files/many-downloads did not run',
    ])
  })

  test('fails if a case compared nothing', () => {
    const figures = measured(figure('upload'), figure('download', 0), figure('many-downloads'))
    assert.deepEqual(missingIn('files', figures), ['files/download compared nothing'])
  })

  test('names the sections there are, if one is asked for that there is not', async () => {
    const { code, complaints } = await bench('--smoke', 'nowhere')
    assert.equal(code, 1)
    assert.match(complaints, /There is no section nowhere/)
  })
})

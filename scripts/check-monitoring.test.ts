import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  checkMonitoring,
  dashboardMistakes,
  expressionMistakes,
  knownMetrics,
  promtool,
  ruleMistakes,
} from './check-monitoring.ts'

const known = new Set(['licet_jobs_due', 'up'])

describe('the check of monitoring files', () => {
  test('accepts those of the project', async () => {
    assert.deepEqual((await checkMonitoring()).mistakes, [])
  })

  test('knows the metrics of the process, of requests and of every resource', () => {
    const names = knownMetrics()
    for (const name of [
      'process_resident_memory_bytes',
      'licet_http_request_seconds_bucket',
      'licet_events_lag_seconds',
    ])
      assert.ok(names.has(name), name)
  })

  test('finds metrics that do not exist, and expressions of people', () => {
    assert.deepEqual(expressionMistakes('a', 'max by (kind) (licet_jobs_due) > 1', known), [])
    assert.deepEqual(expressionMistakes('a', 'licet_jobs_waiting > 1', known), [
      'a: the service has no metric licet_jobs_waiting',
    ])
    assert.deepEqual(expressionMistakes('a', 'sum by (company_id) (licet_jobs_due)', known), [
      'a: names a company or a person',
    ])
    assert.match(expressionMistakes('a', '1 > 0', known).join(), /names no metric/)
  })

  test('finds rules and panels that say too little, and files that have almost nothing', () => {
    const rule = '{alert: A, expr: up == 0, labels: {severity: loud}, annotations: {summary: It is down.}}'
    const mistakes = ruleMistakes(`groups: [{name: a, rules: [${rule}, ${rule}]}]`, known).join('\n')
    for (const part of ['2 rules only', 'A is there twice', 'neither critical', 'no sentence as its description'])
      assert.ok(mistakes.includes(part), part)
    const panel = { title: 'T', type: 'stat', gridPos: { x: 20, w: 12 }, targets: [] }
    const found = dashboardMistakes(JSON.stringify({ panels: [panel] }), known).join('\n')
    for (const part of ['1 panels only', 'T shows nothing', 'beyond the edge']) assert.ok(found.includes(part), part)
  })

  test('hears of wrong syntax from promtool', async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'licet-rules-'))
    const file = join(folder, 'wrong.yml')
    await writeFile(file, 'groups: [{name: a, rules: [{alert: A, expr: "sum by ((up"}]}]')
    const found = await promtool(file)
    await rm(folder, { recursive: true })
    if (found === undefined)
      return context.skip("promtool is not installed; it is in Debian's package prometheus (96 MB)")
    assert.match(found.join(), /promtool: .*parse error/s)
  })
})

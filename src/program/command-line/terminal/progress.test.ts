import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { duration, progressLine, withProgress } from './progress.ts'

const products = { what: 'products', total: 20_000 }

describe('a line of progress', () => {
  test('says how much is done, of how much, in percent, and how long the rest will take', () => {
    assert.equal(progressLine(products, 0, 0), '0 of 20,000 products  0 %')
    assert.equal(progressLine(products, 12_340, 33_000), '12,340 of 20,000 products  61 %  21 s left')
    assert.equal(progressLine(products, 20_000, 53_200), '20,000 of 20,000 products  100 %  54 s')
  })

  test('makes no guess in the first second', () => {
    assert.equal(progressLine(products, 10, 999), '10 of 20,000 products  0 %')
  })

  test('writes durations as people say them', () => {
    assert.deepEqual([900, 59_000, 61_000, 3_725_000].map(duration), ['1 s', '59 s', '1 min 1 s', '1 h 2 min'])
  })
})

describe('progress', () => {
  /** Work of four steps that takes `stepMs` a step on a clock of its own. */
  async function watch(stepMs: number, { isTerminal = false, json = false, failsAt = 5 } = {}) {
    let time = 0
    const lines: string[] = []
    const terminal = {
      err: (text: string) => void lines.push(text),
      ...(isTerminal ? { redraw: (text: string, last?: 'last') => void lines.push(`${text}${last ?? ''}`) } : {}),
    }
    const work = { what: 'steps', total: 4, json, now: () => time }
    const result = await withProgress(terminal, work, async (report) => {
      for (let step = 1; step <= 4; step += 1) {
        time += stepMs
        if (step === failsAt) throw new Error('it broke')
        report(step)
      }
      return 'done'
    }).catch((error: Error) => error.message)
    return { lines, result }
  }

  test('is one line that is redrawn in a terminal', async () => {
    const { lines, result } = await watch(2000, { isTerminal: true })
    assert.equal(result, 'done')
    assert.deepEqual(lines, [
      '0 of 4 steps  0 %',
      '1 of 4 steps  25 %  6 s left',
      '2 of 4 steps  50 %  4 s left',
      '3 of 4 steps  75 %  2 s left',
      '4 of 4 steps  100 %  8 s',
      '4 of 4 steps  100 %  8 slast',
    ])
  })

  test('is a plain line every few seconds elsewhere, and one at the end', async () => {
    assert.deepEqual((await watch(2000)).lines, ['3 of 4 steps  75 %  2 s left', '4 of 4 steps  100 %  8 s'])
    assert.deepEqual((await watch(10)).lines, [], 'short work needs none')
  })

  test('learns how much there is to do from the work itself', async () => {
    const lines: string[] = []
    const terminal = { err: () => {}, redraw: (text: string) => void lines.push(text) }
    let time = 0
    await withProgress(terminal, { what: 'tables', now: () => time }, async (report) => {
      time += 200
      report(1, 2)
    })
    assert.deepEqual(lines, ['1 of 2 tables  50 %', '1 of 2 tables  50 %'])
  })

  test('is nothing with --json', async () => {
    assert.deepEqual((await watch(2000, { isTerminal: true, json: true })).lines, [])
  })

  test('leaves the line where work fails, so that the error stands below it', async () => {
    const { lines, result } = await watch(2000, { isTerminal: true, failsAt: 3 })
    assert.equal(result, 'it broke')
    assert.equal(lines.at(-1), '2 of 4 steps  50 %  6 s leftlast')
  })
})

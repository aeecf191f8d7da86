import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLineWriter } from './lines.ts'
import { createLog } from './log.ts'

type Style = (format: 'yellow' | 'red' | 'dim', text: string) => string

const asItIs: Style = (_format, text) => text

/** The lines that a terminal shows of what is logged. */
function logged(write: (log: ReturnType<typeof createLog>) => void, style: Style = asItIs): string[] {
  const texts: string[] = []
  const lines = createLineWriter((text) => void texts.push(text), style)
  write(createLog('debug', lines))
  return texts.join('').trimEnd().split('\n')
}

const TIME = /^\d\d:\d\d:\d\d {2}/

describe('a log in a terminal', () => {
  test('has the local time and the message, and no word for what is normal', () => {
    const [line = ''] = logged((log) => log.info({ signal: 'SIGINT' }, 'stopping'))
    assert.match(line, TIME)
    assert.equal(line.replace(TIME, ''), 'stopping (signal SIGINT)')
    const now = new Date()
    assert.ok(line.startsWith(String(now.getHours()).padStart(2, '0')), 'in the zone of the reader')
  })

  test('shows a request by method, path, status and milliseconds', () => {
    const request = {
      req: { method: 'GET', url: '/api/products.json?limit=2', ip: '::1' },
      res: { status: 200 },
      ms: 12,
    }
    const [line = ''] = logged((log) => log.debug({ ...request, reqId: 'r-1' }, 'request'))
    assert.equal(line.replace(TIME, ''), 'GET /api/products.json?limit=2 200 12 ms')
  })

  test('names the level only if it is abnormal, and colours nothing else', () => {
    const marked: Style = (format, text) => `<${format}>${text}</${format}>`
    const lines = logged((log) => {
      log.info('started')
      log.warn({ mail: 7, reason: 'refused' }, 'a mail was given up')
      log.error('it broke')
    }, marked).map((line) => line.replace(TIME, ''))
    assert.deepEqual(lines, [
      'started',
      '<yellow>warning</yellow>  a mail was given up (mail 7, reason refused)',
      '<red>error</red>  it broke',
    ])
  })

  test('shows an expected failure as a sentence, and a defect with its stack and causes', () => {
    const cause = new Error('no route to host')
    const error = new Error('the fetch failed', { cause })
    const [expected = '', ...none] = logged((log) => log.warn({ err: error, job: 3 }, 'job failed'))
    assert.equal(expected.replace(TIME, ''), 'warning  job failed (job 3): the fetch failed: no route to host')
    assert.deepEqual(none, [])
    const defect = logged((log) => log.error({ err: error, reqId: 'r-9' }, 'defect'))
    assert.equal(defect[0]?.replace(TIME, ''), 'error  defect (request r-9): the fetch failed: no route to host')
    assert.match(defect[1] ?? '', /^ {10}at .*lines\.test\.ts/)
    assert.ok(defect.some((line) => line === '          caused by Error: no route to host'))
  })

  test('lets nothing from outside move the cursor', () => {
    const [line = '', ...more] = logged((log) => log.warn({ url: 'x\u001b[2Jy\nz' }, 'odd'))
    assert.equal(line.replace(TIME, ''), 'warning  odd (url x [2Jy z)')
    assert.deepEqual(more, [])
  })

  test('passes on what is no line of a log', () => {
    const texts: string[] = []
    createLineWriter((text) => void texts.push(text), asItIs).write('not JSON\n')
    assert.deepEqual(texts, ['not JSON\n'])
  })
})

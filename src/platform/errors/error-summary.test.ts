import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../log/log.ts'
import { summarise, withCauses } from './error-summary.ts'

/** As pg makes them: the client hangs on the error. */
function driverError(): Error {
  const client = { secretKey: 123_456_789, connectionParameters: { password: 'hunter22', host: 'db.example' } }
  return Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET', client, detail: 'a@b.c' })
}

test('the log has type, message, code, stack and cause of an error, and nothing that hangs on it', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  log.warn({ err: driverError() }, 'a database connection broke')
  log.error({ err: new Error('outer', { cause: driverError() }) }, 'defect')
  log.child({}).error(driverError())
  log.error({ error: driverError() })
  assert.equal(lines.length, 4)
  for (const line of lines) assert.doesNotMatch(line, /123456789|hunter22|secretKey|db\.example|a@b\.c/)
  const { err } = JSON.parse(lines[0] ?? '')
  assert.deepEqual(Object.keys(err), ['type', 'message', 'code', 'stack'])
  assert.equal(err.code, 'ECONNRESET')
  assert.equal(JSON.parse(lines[1] ?? '').err.cause.message, 'Connection terminated unexpectedly')
})

test('the terminal shows the stacks of an error and of its causes, and no more', () => {
  const text = withCauses(new Error('outer', { cause: driverError() }))
  assert.match(text, /^Error: outer\n[\s\S]*\nCaused by: Error: Connection terminated unexpectedly\n/)
  assert.doesNotMatch(text, /123456789|hunter22/)
})

test('whatever was thrown has a summary, and one that causes itself ends', () => {
  assert.deepEqual(summarise('text'), { type: 'string', message: 'text' })
  assert.deepEqual(summarise({ secretKey: 1 }), { type: 'object', message: '' })
  const own = new Error('own')
  own.cause = own
  assert.equal(summarise(own).cause?.cause?.cause?.cause, undefined)
})

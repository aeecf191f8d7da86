import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allRefusals, problemsOf } from '#platform/errors/problem.ts'
import { componentsWith } from '#platform/http/openapi/openapi-answers.ts'
import { api } from '#program/http/api.ts'
import { errorsPage } from './errors.ts'
import { readSources } from './source.ts'

describe('the list of refusals', () => {
  test('is listed in docs/errors.md as far as any file declares one', async () => {
    const sources = await readSources(['src/**/*.ts'])
    const declared = sources.flatMap(({ text }) =>
      [...text.matchAll(/\bdefine(?:Problem|Fault)(?:<[^(]*>)?\(\s*'(\w+)'/g)].map(([, reason]) => reason ?? ''),
    )
    assert.ok(declared.length > 100, 'it looked in the wrong place')
    assert.deepEqual(declared.toSorted(), [...allRefusals().keys()].toSorted())
    const listed = [...errorsPage().matchAll(/^\| `(\w+)` \|/gm)].map(([, reason]) => reason)
    assert.deepEqual(listed.toSorted(), declared.toSorted())
  })

  test('explains every refusal in sentences, and spells every reason alike', () => {
    for (const { reason, when, remedy } of allRefusals().values()) {
      assert.match(reason, /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
      for (const sentence of [when, remedy]) assert.match(sentence, /^[A-Z`].*[^.]\.$/, reason)
    }
  })

  test('has each reason once', () => {
    const { defineProblem, defineFault } = problemsOf('Tests')
    const explanation = { message: 'is required', when: 'Always.', remedy: 'None.' }
    assert.throws(() => defineFault('field_required', explanation), /field_required is declared twice/)
    assert.throws(() => defineProblem('field_required', { code: 'conflict', ...explanation }), /declared twice/)
  })

  // A fault is plain data: thrown as it is, it would be answered as a defect.
  test('has faults that are reported or wrapped, and never thrown', async () => {
    const sources = await readSources(['src/**/*.ts'])
    const all = sources.map(({ text }) => text).join('\n')
    const names = [...all.matchAll(/^export const (\w+) = defineFault\b/gm)].map(([, name]) => name)
    const throws = [...all.matchAll(/\bthrow\b.*(?:\n\s+[?:].*)*/g)].map(([statement]) => statement)
    assert.ok(names.length > 50 && throws.length > 50, 'it looked in the wrong place')
    const isFault = new RegExp(`\\b(?:${names.join('|')})\\(`)
    const wrong = throws.filter((statement) => isFault.test(statement) && !statement.includes('validationFailed('))
    assert.deepEqual(wrong, [])
  })

  test('has every example of the OpenAPI document', () => {
    for (const { content } of Object.values(componentsWith(api.examples).responses)) {
      const { reason, error_code, code } = content['application/json'].example
      const refusal = allRefusals().get(reason)
      assert.deepEqual([refusal?.status, refusal?.code], [error_code, code], reason)
    }
  })
})

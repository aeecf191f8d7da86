import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advisoryMistakes, signatureMistakes } from './check-audit.ts'

const advisories = (severity: string) =>
  JSON.stringify({
    metadata: { vulnerabilities: { [severity]: 1, total: 1 } },
    vulnerabilities: { films: { name: 'films', severity, range: '<2.0.0' } },
  })

test('a high or critical vulnerability is a mistake, a lower one is not', () => {
  for (const severity of ['high', 'critical'])
    assert.deepEqual(advisoryMistakes(advisories(severity)), [
      `films <2.0.0 has a known vulnerability: ${severity}. Run npm audit.`,
    ])
  for (const severity of ['info', 'low', 'moderate']) assert.deepEqual(advisoryMistakes(advisories(severity)), [])
})

test('a registry that does not answer is no mistake', () => {
  const refused = JSON.stringify({ message: '405 Method Not Allowed', error: { summary: '', detail: '' } })
  for (const text of ['', 'not JSON', refused]) assert.equal(advisoryMistakes(text), undefined)
  for (const text of ['', refused, JSON.stringify({ error: { code: 'ENOTFOUND' } })])
    assert.equal(signatureMistakes(text), undefined)
})

test('a signature that is wrong or missing is a mistake', () => {
  assert.deepEqual(signatureMistakes('{"invalid":[],"missing":[]}'), [])
  const text = JSON.stringify({
    invalid: [{ name: 'films', version: '1.0.0' }],
    missing: [{ name: 'books', version: '2.0.0' }],
  })
  assert.equal(signatureMistakes(text)?.length, 2)
})

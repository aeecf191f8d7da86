import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { asciiJson } from '../../wire/times.ts'
import { askedFields, onlyFields } from './fields.ts'

const ODD = [
  '',
  '"',
  '\\',
  '\\"',
  '\\\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '":',
  ',"a":1',
  '],',
  '},',
  '],"b',
  '},"b',
  '\n',
  '\u0000',
  'ä',
  '😀',
  '\ud800',
]
const odd = fc.array(fc.constantFrom(...ODD), { maxLength: 6 }).map((parts) => parts.join(''))
const text = fc.oneof(odd, fc.string({ unit: 'binary' }))
const name = fc.oneof(fc.constantFrom('a', 'b', 'id', '__proto__', '0', 'constructor'), text)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, false, 0, -1.5e300),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
}))

/** The text is not parsed for this: JSON.parse of Node 26.10 mixes up names that hold quotes and backslashes. */
function pickedAndSerialised(object: object, names: string[]): string {
  return asciiJson(Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name))))
}

describe('onlyFields', () => {
  test('answers what picking from the object and serialising it would, for every document', () => {
    const whole = fc.dictionary(name, value, { maxKeys: 8 })
    const asked = fc.array(
      name.map((given) => given.replaceAll(',', '')),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(whole, asked, fc.func(fc.boolean()), (object, others, isAsked) => {
        const document = asciiJson(object)
        // Some that are there, some that may not be, and the first of them twice.
        const names = [...Object.keys(object).filter((key) => !key.includes(',') && isAsked(key)), ...others]
        const given = [...names, ...names.slice(0, 1)].join(',')
        const meant = names.map((one) => one.trim()).filter((one) => one !== '')
        const expected = meant.length === 0 ? document : pickedAndSerialised(object, meant)
        assert.equal(onlyFields(document, askedFields(given)), expected)
      }),
      { numRuns: 1000 },
    )
  })

  test('keeps the order of the document, whatever the order and number of the names', () => {
    const document = '{"id":1,"title":"a \\"title\\":2","parts":[{"id":2,"last":0}],"last":{"id":[3]}}'
    const only = (fields: string) => onlyFields(document, askedFields(fields))
    assert.equal(only('last, id,id'), '{"id":1,"last":{"id":[3]}}')
    assert.equal(only('title'), '{"title":"a \\"title\\":2"}')
    assert.equal(only('nothing'), '{}')
    assert.equal(only(' , '), document)
  })

  test('refuses a document that does not end', () => {
    for (const document of ['{"id', '{"id":"1\\"', '{"id":[1', '{"id":{"a":"b"'])
      assert.throws(() => onlyFields(document, askedFields('title')), SyntaxError)
  })
})

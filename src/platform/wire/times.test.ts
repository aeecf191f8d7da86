import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { fieldBlank, fieldRequired } from '../errors/faults.ts'
import { FieldReport, Problem } from '../errors/problem.ts'
import { asciiJson, parseTime, readTime, wireTime, wireTimeOrNull } from './times.ts'

const time = fc
  .date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9998-12-30T00:00:00Z'), noInvalidDate: true })
  .map((date) => new Date(Math.floor(date.getTime() / 1000) * 1000))

const two = (value: number) => String(value).padStart(2, '0')

describe('times', () => {
  test('round-trip in every spelling', () => {
    const spelling = fc.record({
      time,
      between: fc.constantFrom('T', 't', ' '),
      fraction: fc.constantFrom('', '.5', '.123456789'),
      offset: fc.integer({ min: -14 * 60, max: 14 * 60 }),
      form: fc.constantFrom('none', 'Z', 'z', '+hh:mm', '+hhmm', 'blank'),
      around: fc.constantFrom('', ' '),
    })
    fc.assert(
      fc.property(spelling, ({ time, between, fraction, offset, form, around }) => {
        const zoned = form === 'none' || form.toLowerCase() === 'z' ? 0 : form === 'blank' ? Math.abs(offset) : offset
        const local = new Date(time.getTime() + zoned * 60_000).toISOString()
        const hours = `${two(Math.floor(Math.abs(zoned) / 60))}`
        const minutes = two(Math.abs(zoned) % 60)
        const zone = {
          none: '',
          Z: 'Z',
          z: 'z',
          '+hh:mm': `${zoned < 0 ? '-' : '+'}${hours}:${minutes}`,
          '+hhmm': `${zoned < 0 ? '-' : '+'}${hours}${minutes}`,
          blank: ` ${hours}:${minutes}`,
        }[form]
        const text = `${around}${local.slice(0, 10)}${between}${local.slice(11, 19)}${fraction}${zone}${around}`
        assert.equal(parseTime(text)?.getTime(), time.getTime(), text)
      }),
      { numRuns: 2000 },
    )
  })

  test('may have any spelling of an offset', () => {
    for (const zone of ['+02:00', '+0200', '+02', ' 02:00', ' 0200', ' 02', ' +02', '+02:00'])
      assert.equal(wireTime(readTime(`2024-06-10T09:30:00${zone}`)), '2024-06-10T07:30:00', zone)
    assert.equal(wireTime(readTime('2024-06-10T09:30-0330')), '2024-06-10T13:00:00')
  })

  test('may lack seconds or the time of day', () => {
    fc.assert(
      fc.property(time, (time) => {
        const text = wireTime(time)
        assert.equal(wireTime(readTime(text.slice(0, 16))), `${text.slice(0, 16)}:00`)
        assert.equal(wireTime(readTime(text.slice(0, 10))), `${text.slice(0, 10)}T00:00:00`)
      }),
    )
  })

  test('are written in GMT, without fraction or zone, and read back', () => {
    fc.assert(
      fc.property(time, (time) => {
        assert.match(wireTime(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
        assert.deepEqual(readTime(wireTime(time)), time)
      }),
    )
    assert.equal(wireTime(new Date('2024-06-10T09:30:00.999Z')), '2024-06-10T09:30:00')
    assert.equal(wireTimeOrNull(null), null)
  })

  const refused = [
    '',
    'now',
    '2024',
    '2024-06',
    '2024-6-1',
    '10.06.2024',
    '2024-02-30',
    '2023-02-29T00:00:00',
    '2024-13-01',
    '2024-00-10',
    '2024-06-00',
    '2024-06-10T24:00:00',
    '2024-06-10T09:60',
    '2024-06-10T09:30:60',
    '2024-06-10T9:30',
    '2024-06-10T09',
    '2024-06-10Z',
    '2024-06-10+02:00',
    '2024-06-10T09:30:00+15:00',
    '2024-06-10T09:30:00+02:60',
    '2024-06-10T09:30:00.',
    '2024-06-10T09:3002',
    '2024-06-10T09:30:00+2',
    '2024-06-10 02',
    '2024-06-10T09:30:00 Europe/Berlin',
    '+2024-06-10',
    '-2024-06-10',
    "2024-06-10'; drop table products",
    '１２３４-06-10',
  ]
  for (const text of refused) {
    test(`are refused: ${JSON.stringify(text)}`, () => assert.equal(parseTime(text), undefined))
  }

  test('are never made of other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const parsed = parseTime(text)
        assert.ok(parsed === undefined || /^\s*\d{4}-\d\d-\d\d/.test(text))
      }),
    )
    // Digits and the signs of times in any order: what is taken is a real time.
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789-:T Z+.'), minLength: 8, maxLength: 30 }), (text) => {
        const parsed = parseTime(text)
        assert.ok(parsed === undefined || Number.isFinite(parsed.getTime()))
      }),
      { numRuns: 2000 },
    )
    assert.throws(() => readTime('yesterday'), TypeError)
  })
})

describe('a field report', () => {
  const path = fc
    .array(
      fc.oneof(
        fc.stringMatching(/^[a-z_]{1,12}$/),
        fc.nat(9).map((index) => `[${index}]`),
      ),
      { minLength: 1 },
    )
    .map((parts) => parts.join('.').replaceAll('.[', '['))

  test('tells every mistake under its path, in the order in which they were found', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(path, fc.constantFrom(fieldRequired(), fieldBlank())), { minLength: 1 }),
        (found) => {
          const report = new FieldReport()
          for (const [path, fault] of found) report.add(path, fault)
          assert.throws(
            () => report.throwIfAny(),
            (problem) => {
              assert.ok(problem instanceof Problem)
              assert.equal(problem.status, 422)
              const told = Object.entries(problem.fields ?? {}).flatMap(([path, all]) =>
                all.map((one) => [path, one.message]),
              )
              assert.deepEqual(told.sort(), found.map(([path, { message }]) => [path, message]).sort())
              assert.equal(problem.reason, found[0]?.[1].refusal.reason)
              assert.ok(!/[_[\]]/.test(problem.message), problem.message)
              return true
            },
          )
        },
      ),
    )
  })

  test('is silent when nothing was found', () => new FieldReport().throwIfAny())

  test('takes any name for a path', () => {
    const report = new FieldReport()
    report.add('__proto__', fieldRequired())
    report.add('constructor', fieldRequired())
    assert.throws(() => report.throwIfAny(), Problem)
  })
})

describe('JSON in ASCII', () => {
  test('is the same value, however long it is and whatever is in it', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.constantFrom(1, 2000), (texts, times) => {
        const value = texts.map((text) => `${text}\ud800`.repeat(times))
        const json = asciiJson(value)
        assert.equal(Buffer.byteLength(json), json.length)
        assert.deepEqual(JSON.parse(json), value)
      }),
      { numRuns: 30 },
    )
  })

  // Two million bytes of Chinese are a body that the service takes.
  test('takes no longer for a text that has no ASCII in it', () => {
    const before = process.cpuUsage()
    asciiJson('漢'.repeat(700_000))
    const { user, system } = process.cpuUsage(before)
    assert.ok((user + system) / 1000 < 1000, `${(user + system) / 1000} ms`)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  ASVS,
  checkSecurityOfProject,
  countsTable,
  mistakesIn,
  readRows,
  TOP_10,
  withCounts,
} from './check-security.ts'
import { readSources } from './source.ts'

const PAGE = `# Requirements

| Number | Requirement | State |
|---|---|---|

## V1 First chapter

| 1.1.1 | Words | Test: [a](../src/a.test.ts) |
| 1.1.2 | Words | Check: [b](../scripts/check.ts). And words. |
| 1.1.3 | Words | Held, no test: [c](../src/c.ts) |

## V2 Second chapter

| 2.1.1 | Words | Not yet: some words: with a colon. |
| 2.1.2 | Words | Does not apply: there is none. |
`
const REQUIREMENTS = ['1.1.1', '1.1.2', '1.1.3', '2.1.1', '2.1.2']

const mistakes = (text: string, requirements = REQUIREMENTS) =>
  mistakesIn({ path: 'docs/page.md', text }, requirements).map(({ line, message }) => `${line} ${message}`)

test('the pages of this project list every requirement with its state', async () => {
  assert.equal(ASVS.length, 253)
  assert.equal(TOP_10.length, 10)
  assert.deepEqual(await checkSecurityOfProject(), [])
})

test('the counts of this project are up to date', async () => {
  const [asvs, overview] = await readSources(['docs/security-asvs.md', 'docs/security.md'])
  assert.equal(overview?.text, withCounts(overview?.text ?? '', asvs?.text ?? ''))
})

describe('a page with requirements', () => {
  test('that has a state for each has no mistakes', () => {
    assert.deepEqual(mistakes(PAGE), [])
    assert.deepEqual(
      readRows(PAGE).map(({ id, state }) => `${id} ${state}`),
      ['1.1.1 Test', '1.1.2 Check', '1.1.3 Held, no test', '2.1.1 Not yet', '2.1.2 Does not apply'],
    )
  })

  for (const [from, to, expected] of [
    ['Test: [a](../src/a.test.ts)', 'Test: [a](../src/a.ts)', '8 1.1.1 says Test, but links to no test'],
    ['Check: [b](../scripts/check.ts)', 'Check: yes', '9 1.1.2 says Check, but links to no check in scripts/'],
    ['[c](../src/c.ts)', 'c', '10 1.1.3 says Held, no test, but links to nothing that shows it'],
    ['some words: with a colon.', '', '14 2.1.1 has no state: Test, Check, Held, no test, Not yet, Does not apply'],
    [
      'Does not apply: there is none.',
      'Yes',
      '15 2.1.2 has no state: Test, Check, Held, no test, Not yet, Does not apply',
    ],
    ['| 2.1.2 |', '| 2.1.1 |', '15 2.1.1 is listed twice, or is not a requirement'],
    ['| 2.1.2 |', '| 9.9.9 |', '15 9.9.9 is listed twice, or is not a requirement'],
  ] as const) {
    test(`is refused with ${JSON.stringify(to)} for ${JSON.stringify(from)}`, () => {
      assert.ok(mistakes(PAGE.replace(from, to)).includes(expected), mistakes(PAGE.replace(from, to)).join('\n'))
    })
  }

  test('is refused if a requirement is missing, and if all are', () => {
    assert.deepEqual(mistakes(PAGE, [...REQUIREMENTS, '2.1.3']), ['1 2.1.3 is not listed'])
    assert.equal(mistakes('').length, REQUIREMENTS.length)
  })
})

test('the counts are those of the page, by chapter and in total', () => {
  const table = [
    '| Chapter | Held by a test or a check | Held, no test | Not yet | Does not apply |',
    '| --- | --: | --: | --: | --: |',
    '| [V1 First chapter](security-asvs.md#v1-first-chapter) | 2 | 1 | 0 | 0 |',
    '| [V2 Second chapter](security-asvs.md#v2-second-chapter) | 0 | 0 | 1 | 1 |',
    '| All | 2 | 1 | 1 | 1 |',
  ].join('\n')
  assert.equal(countsTable(PAGE), table)
  const overview = 'A\n<!-- Counts, written by npm run generate. -->\nold\n<!-- End of the counts. -->\nB\n'
  const renewed = withCounts(overview, PAGE)
  assert.ok(renewed.includes(table) && !renewed.includes('old'))
  assert.equal(withCounts(renewed, PAGE), renewed)
  assert.throws(() => withCounts('A', PAGE), /no place for the counts/)
})

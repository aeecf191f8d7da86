import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { IN_SMOKE, SECTIONS } from '../options.ts'
import { DEFINITIONS, missingIn } from '../sections.ts'
import { bench, GROUPS, stopBenches } from './groups.ts'

after(stopBenches)

describe('npm run bench -- --smoke', () => {
  test('leaves out no section', () => {
    assert.deepEqual(
      SECTIONS.filter((section) => !IN_SMOKE.includes(section)),
      [],
    )
    for (const section of IN_SMOKE) assert.ok(DEFINITIONS[section].cases.length > 0, section)
  })

  test('is run by the files beside this one, each section once', () => {
    assert.deepEqual(Object.values(GROUPS).flat().toSorted(), IN_SMOKE.toSorted())
    for (const name of Object.keys(GROUPS))
      assert.ok(existsSync(new URL(`${name}.test.ts`, import.meta.url)), `${name}.test.ts is missing`)
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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inRanges } from './import-report.ts'

test('ids that follow each other are a range, and many ranges are cut', () => {
  assert.equal(inRanges([3, 1, 2, 9]), '1-3, 9')
  assert.equal(inRanges([1, 3, 5, 7, 9, 11, 13, 15, 17]), '1, 3, 5, 7, 9, 11, 13, 15, …')
  assert.equal(inRanges([]), '')
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { AJV_OPTIONS } from './ajv-options.ts'
import { lazyValidators } from './validators.ts'

/** How often a schema is read until a first input is valid: each time that it is compiled, it is read more often. */
function readsOf(compile: ReturnType<ReturnType<typeof lazyValidators>>, bound: number): number {
  let reads = 0
  const schema = {
    type: 'object',
    get maxProperties() {
      reads += 1
      return bound
    },
  }
  assert.equal(compile({ schema })({}), true)
  return reads
}

describe('the validators of routes', () => {
  test('are compiled once for all routes and services that have the same schema', () => {
    const one = lazyValidators()({}, { customOptions: AJV_OPTIONS })
    const other = lazyValidators()({}, { customOptions: AJV_OPTIONS })
    const compiled = readsOf(one, 731)
    assert.ok(readsOf(one, 731) < compiled)
    assert.ok(readsOf(other, 731) < compiled)
    assert.equal(readsOf(other, 732), compiled)
  })

  test('are not those of another schema', () => {
    const compile = lazyValidators()({}, { customOptions: AJV_OPTIONS })
    assert.equal(compile({ schema: Type.Object({ a: Type.String() }) })({ a: 'x' }), true)
    assert.equal(compile({ schema: Type.Object({ a: Type.Integer() }) })({ a: 'x' }), false)
    assert.equal(compile({ schema: Type.Object({ b: Type.String() }) })({ a: 'x' }), false)
  })

  test('know the shared schemas of their own service', () => {
    const schema = Type.Object({ a: Type.Ref('Shared') })
    const compilerWith = (shared: object) => lazyValidators()({ Shared: shared }, { customOptions: AJV_OPTIONS })
    const texts = compilerWith({ $id: 'Shared', type: 'string' })
    const numbers = compilerWith({ $id: 'Shared', type: 'integer' })
    assert.equal(texts({ schema })({ a: 'x' }), true)
    assert.equal(numbers({ schema })({ a: 'x' }), false)
  })
})

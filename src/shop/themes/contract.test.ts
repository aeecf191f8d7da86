import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ShopModel, ShopTemplate } from '#shop/site/pages.site.ts'

/** What `reply.shopPage` takes. Nothing is rendered: the compiler is what is tested. */
function shopPage<Template extends ShopTemplate>(template: Template, model: ShopModel<Template>): unknown[] {
  return [template, model]
}

const page = { title_key: 'cart.title' }

describe('the compiler', () => {
  test('takes the values of a template', () => {
    assert.ok(shopPage('mail-sent', { page, email: 'ada@example.com' }))
    assert.ok(shopPage('offline', {}))
  })

  test('refuses a template that does not exist', () => {
    // @ts-expect-error There is no such template.
    assert.ok(shopPage('mail-send', { email: 'ada@example.com' }))
  })

  test('refuses a value that is missing, wrong or unknown', () => {
    // @ts-expect-error The address is missing.
    assert.ok(shopPage('mail-sent', { page }))
    // @ts-expect-error The address is a text.
    assert.ok(shopPage('mail-sent', { email: 1 }))
    // @ts-expect-error No template reads it.
    assert.ok(shopPage('mail-sent', { email: '', e_mail: '' }))
    // @ts-expect-error The layout does not read it.
    assert.ok(shopPage('offline', { page: { titel: '' } }))
  })
})

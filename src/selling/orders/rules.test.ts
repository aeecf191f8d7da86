import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Seller } from '#identity/companies/state.ts'
import { Problem } from '#platform/errors/problem.ts'
import { assertSelling } from './rules.ts'

const SELLER = { id: 1000, country_code: 'DE', currency: 'EUR', tax_options: 0, sandbox: false }
type Settings = Pick<Seller, 'api_active' | 'shop_active' | 'company_disabled' | 'deletion_due_at'>
const OPEN: Settings = { api_active: true, shop_active: true, company_disabled: false, deletion_due_at: null }

const CASES: [Partial<Settings>, 'api' | 'webshop' | 'in app', boolean][] = [
  [{}, 'api', true],
  [{}, 'webshop', true],
  [{ api_active: false }, 'api', false],
  [{ api_active: false }, 'webshop', true],
  [{ shop_active: false }, 'api', true],
  [{ shop_active: false }, 'webshop', false],
  [{ shop_active: false }, 'in app', false],
  [{ company_disabled: true }, 'api', false],
  [{ company_disabled: true }, 'webshop', false],
  [{ deletion_due_at: new Date('2026-12-01') }, 'api', false],
  [{ deletion_due_at: new Date('2026-12-01') }, 'webshop', false],
]

for (const [settings, source_name, sells] of CASES)
  test(`a company with ${JSON.stringify(settings)} ${sells ? 'sells' : 'does not sell'} by ${source_name}`, () => {
    const check = () => assertSelling({ ...SELLER, ...OPEN, ...settings }, { source_name })
    if (sells) check()
    else assert.throws(check, (error) => error instanceof Problem && error.reason === 'orders_not_accepted')
  })

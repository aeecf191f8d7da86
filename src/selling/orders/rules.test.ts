import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#platform/errors/problem.ts'
import { assertSelling } from './rules.ts'

const SELLER = { id: 1000, country_code: 'DE', currency: 'EUR', tax_options: 0 }
const OPEN = { api_active: true, shop_active: true, company_disabled: false }

const CASES: [Partial<typeof OPEN>, 'api' | 'webshop' | 'in app', boolean][] = [
  [{}, 'api', true],
  [{}, 'webshop', true],
  [{ api_active: false }, 'api', false],
  [{ api_active: false }, 'webshop', true],
  [{ shop_active: false }, 'api', true],
  [{ shop_active: false }, 'webshop', false],
  [{ shop_active: false }, 'in app', false],
  [{ company_disabled: true }, 'api', false],
  [{ company_disabled: true }, 'webshop', false],
]

for (const [settings, source_name, sells] of CASES)
  test(`a company with ${JSON.stringify(settings)} ${sells ? 'sells' : 'does not sell'} by ${source_name}`, () => {
    const check = () => assertSelling({ ...SELLER, ...OPEN, ...settings }, { source_name })
    if (sells) check()
    else assert.throws(check, (error) => error instanceof Problem && error.reason === 'orders_not_accepted')
  })

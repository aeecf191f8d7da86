import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { Liquid } from 'liquidjs'
import { ROOT } from './source.ts'
import { type Contract, readContract, themesPage } from './themes.ts'

/** What every template can read: docs/guides/make-a-theme.md describes it. */
const EVERYWHERE = [
  'base',
  'shop_base',
  'language',
  'direction',
  'country',
  'currency',
  'languages',
  'currencies',
  'shop',
  'page',
  'navigation',
  'customer',
  'cart',
  'features',
  'is_guest',
  'is_preview',
]

/** What templates ask for and no page has, so that these parts of them are never shown. */
const NEVER_GIVEN = { checkout: ['newsletter'], page: ['heading', 'text'] }

describe('docs/themes.md', () => {
  let contract: Contract = { templates: [], types: [] }
  before(() => {
    contract = readContract()
  })

  const findValue = (template: string, path: string) =>
    contract.templates.find(({ name }) => name === template)?.values.find((value) => value.path === path)

  test('has every value with its type and its text', () => {
    assert.deepEqual(findValue('account', 'notice'), {
      path: 'notice',
      type: 'text, or nothing',
      text: 'What was just done, as the key of a text.',
    })
    assert.equal(findValue('account-orders', 'orders[].lines[].quantity')?.type, 'number')
    assert.equal(findValue('home', 'newest')?.type, 'list: [Card](#card)')
    assert.match(findValue('order', 'order.state')?.type ?? '', /`"paid"` or /)
    assert.ok(contract.types.some(({ name }) => name === 'Card'))
  })

  test('is refused if a template has no type, a type has no template, or nothing was found', () => {
    const { templates, types } = contract
    assert.throws(() => themesPage({ templates: templates.slice(1), types }), /differ: account/)
    const invented = { name: 'invented', text: '', values: [] }
    assert.throws(() => themesPage({ templates: [...templates, invented], types }), /differ: invented/)
    assert.throws(() => themesPage({ templates: [], types }), /differ/)
    const empty = templates.map((template) => ({ ...template, values: [] }))
    assert.throws(() => themesPage({ templates: empty, types }), /no template has a value/)
  })

  test('has every value that a template of the default theme reads', async () => {
    const liquid = new Liquid()
    const unknown: Record<string, string[]> = {}
    for (const { name, values } of contract.templates) {
      const text = await readFile(join(ROOT, `themes/default/templates/${name}.liquid`), 'utf8')
      const known = new Set([...EVERYWHERE, ...values.map(({ path }) => path)])
      const read = liquid.globalVariablesSync(liquid.parse(text), { partials: false })
      const strangers = read.filter((value) => !known.has(value))
      if (strangers.length > 0) unknown[name] = strangers
    }
    assert.deepEqual(unknown, NEVER_GIVEN)
  })
})

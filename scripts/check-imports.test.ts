import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkFile, checkImports, findCycles, findRoomCircles, importsOf } from './check-imports.ts'

const importsIn = (text: string) => importsOf({ path: 'src/a.ts', text })
const complaints = (path: string, text: string) => checkFile({ path, text }).map(({ message }) => message)

describe('what counts as an import', () => {
  const forms: [string, { name: string; type: boolean }][] = [
    ["import { a } from './a.ts'", { name: './a.ts', type: false }],
    ["import {\n  a,\n  b,\n} from './a.ts'", { name: './a.ts', type: false }],
    ["import type { A } from './a.ts'", { name: './a.ts', type: true }],
    ["import { type A } from './a.ts'", { name: './a.ts', type: false }],
    ["import './a.ts'", { name: './a.ts', type: false }],
    ["const a = await import('./a.ts')", { name: './a.ts', type: false }],
    ["type A = import('./a.ts').A", { name: './a.ts', type: true }],
    ["export * from './a.ts'", { name: './a.ts', type: false }],
    ["export type { A } from './a.ts'", { name: './a.ts', type: true }],
    ['import a from "./a.ts"', { name: './a.ts', type: false }],
  ]
  for (const [text, expected] of forms) {
    test(text.replaceAll('\n', ' '), () => {
      assert.deepEqual(
        importsIn(text).map(({ name, type }) => ({ name, type })),
        [expected],
      )
    })
  }

  test('comments and texts are none', () => {
    assert.deepEqual(importsIn("// import './a.ts'\nconst text = \"import './b.ts'\""), [])
  })

  test('the line is that of the name', () => {
    assert.equal(importsIn("\nimport {\n  a,\n} from './a.ts'")[0]?.line, 4)
  })
})

describe('refused', () => {
  const refused: [string, string, RegExp][] = [
    // How an import is spelt.
    ['src/catalog/products/queries.ts', "import { a } from './errors'", /without its ending/],
    ['src/catalog/products/queries.ts', "import { a } from '../pictures/queries.ts'", /use #catalog\/pictures/],
    ['src/catalog/products/queries.ts', "import { a } from '#catalog/products/errors.ts'", /use a relative path/],
    ['src/platform/log/log.ts', "import { a } from '#platform/clock.ts'", /use a relative path/],
    ['src/catalog/products/queries.ts', "import { a } from '#catalog/pictures/index.ts'", /index file/],
    ['src/catalog/products/index.ts', '', /is an index file/],
    ['src/app.ts', "import { a } from './catalog/products/routes.ts'", /use #catalog\/products\/routes\.ts/],
    ['src/catalog/products/names.rules.ts', 'await import(name)', /computed/],
    ['test/audit/a.test.ts', "import { a } from '../../src/catalog/products/queries.ts'", /use #catalog\/products/],
    // Which wing may know which.
    ['src/platform/clock.ts', "import { a } from '#catalog/products/rules.ts'", /catalog is above platform/],
    ['src/platform/clock.ts', "import { a } from '../app.ts'", /not they it/],
    ['src/history/events/commands.ts', "import { a } from '#catalog/products/queries.ts'", /catalog is above history/],
    [
      'src/people/customers/commands.ts',
      "import { a } from '#rights/entitlements/queries.ts'",
      /rights is above people/,
    ],
    [
      'src/catalog/products/commands.ts',
      "import type { A } from '#selling/orders/state.ts'",
      /selling is above catalog/,
    ],
    ['src/catalog/products/queries.ts', "import { a } from '../../app.ts'", /not they it/],
    ['src/catalog/products/commands.ts', "import { a } from '#program/boot/store.ts'", /program is above catalog/],
    ['src/novelty/products/queries.ts', '', /lies in novelty, which is no wing/],
    ['src/catalog/products/commands.ts', "import { a } from '#test/harness.ts'", /for tests/],
    ['src/catalog/products/commands.ts', "import { a } from '#client/licet.ts'", /the client is for other programs/],
    ['src/catalog/products/commands.ts', "import { a } from '@licet/client'", /the client is for other programs/],
    ['client/src/client.ts', "import { a } from '#catalog/products/schema.ts'", /the client stands alone/],
    [
      'client/src/client.ts',
      "import type { A } from '../../src/catalog/products/schema.ts'",
      /the client stands alone/,
    ],
    ['client/src/client.ts', "import { createHash } from 'node:crypto'", /the client stands alone/],
    ['test/client/a.test.ts', "import { a } from '../../client/src/licet.ts'", /use #client\/licet\.ts/],
    ['pdf-text/src/fonts.ts', "import { a } from '#platform/clock.ts'", /pdf-text stands alone/],
    ['src/selling/invoices/commands.ts', "import { a } from '#pdf-text/fonts.ts'", /in a process of its own/],
    ['src/catalog/products/commands.ts', "import { a } from './products.test.ts'", /for tests/],
    // Who speaks HTTP.
    ['src/catalog/products/commands.ts', "import type { A } from 'fastify'", /HTTP belongs to/],
    ['src/catalog/products/names.rules.ts', "import { a } from '@fastify/compress'", /HTTP belongs to/],
    ['src/worker.ts', "import Fastify from 'fastify'", /HTTP belongs to/],
    ['src/platform/log/metrics.ts', "import Fastify from 'fastify'", /HTTP belongs to/],
    // Who sends requests.
    ['src/catalog/pictures/fetch.worker.ts', "import { request } from 'undici'", /go through src\/platform\/outbound/],
    ['src/program/boot/service.ts', "import { get } from 'node:https'", /go through src\/platform\/outbound/],
    ['src/platform/outbound/download.ts', 'const answer = await fetch(url)', /calls fetch/],
    // What a file's name allows.
    ['src/catalog/products/helpers.ts', '', /has no role: helpers is none/],
    ['src/catalog/products/price.helper.ts', '', /has no role: helper is none/],
    ['src/catalog/products/schema.ts', "import { sql } from 'kysely'", /schema may not/],
    ['src/catalog/products/schema.ts', "import { a } from './queries.ts'", /schema may not/],
    ['src/catalog/products/routes.ts', "import { sql } from 'kysely'", /routes may not/],
    ['src/catalog/products/routes.ts', "import type { Db } from '#platform/db/database.ts'", /routes may not/],
    ['src/catalog/products/routes.ts', "import { a } from '#catalog/categories/queries.ts'", /routes may not/],
    ['src/catalog/products/queries.ts', "import { a } from './commands.ts'", /queries may not/],
    ['src/catalog/products/queries.ts', "import { a } from '#platform/http/lists.ts'", /queries may not/],
    ['src/catalog/products/commands.ts', "import { a } from './routes.ts'", /commands may not/],
    ['src/catalog/products/commands.ts', "import { a } from '#catalog/pictures/present.ts'", /commands may not/],
    ['src/catalog/products/commands.ts', "import { a } from '#platform/http/write.ts'", /commands may not/],
    ['src/catalog/products/jobs.ts', "import { enqueue } from '#platform/jobs/queue.ts'", /jobs may not/],
    ['src/catalog/products/rules.ts', "import { sql } from 'kysely'", /rules may not/],
    ['src/catalog/products/rules.ts', "import { readFile } from 'node:fs/promises'", /rules may not/],
    ['src/catalog/products/rules.ts', "import { a } from '#platform/clock.ts'", /rules may not/],
    ['src/catalog/products/locales.rules.ts', "import { a } from './queries.ts'", /rules may not/],
    ['src/catalog/products/present.ts', "import type { Db } from '#platform/db/database.ts'", /present may not/],
    ['src/catalog/products/commands.ts', "import { a } from '#platform/pages/layout.ts'", /commands may not/],
    ['src/identity/users/views.ts', "import { a } from '#platform/pages/sessions.ts'", /views may not/],
    ['src/catalog/products/errors.ts', "import { a } from './rules.ts'", /errors may not/],
    ['src/catalog/products/state.ts', "import { a } from './rules.ts'", /holds types only/],
    ['src/catalog/pictures/fetch.worker.ts', "import { a } from './routes.ts'", /worker may not/],
    ['src/apps/oauth/pkce.secrets.ts', "import { a } from './queries.ts'", /secrets may not/],
    ['src/catalog/pictures/sizes.files.ts', "import sharp from 'sharp'", /decoded in a process/],
    ['src/catalog/pictures/sizes.files.ts', "import { shrink } from './decode.process.ts'", /runs in a process/],
    ['src/selling/invoices/commands.ts', "import { drawInvoice } from './pdf.process.ts'", /runs in a process/],
  ]
  for (const [path, text, reason] of refused) {
    test(`${path}: ${text}`, () => {
      assert.match(complaints(path, text).join('\n'), reason)
    })
  }
})

describe('accepted', () => {
  const accepted: [string, string][] = [
    ['src/catalog/products/schema.ts', "import { Type } from 'typebox'\nimport { Id } from '#platform/wire/schema.ts'"],
    [
      'src/catalog/products/routes.ts',
      "import { a } from './commands.ts'\nimport { b } from '#platform/http/lists.ts'",
    ],
    ['src/shop/checkout/cart.routes.ts', "import { a } from '#shop/site/site.ts'"],
    ['src/identity/sign-in/routes.ts', "import { attempt } from '#identity/attempts/guard.ts'"],
    [
      'src/catalog/products/queries.ts',
      "import { sql } from 'kysely'\nimport type { A } from '#catalog/pictures/rules.ts'",
    ],
    [
      'src/catalog/products/commands.ts',
      "import { a } from '#history/events/emit.commands.ts'\nimport { b } from './present.ts'",
    ],
    ['src/catalog/products/locales.rules.ts', "import { b } from '#identity/languages/rules.ts'"],
    ['src/catalog/prices/rules.ts', "import { a } from '#identity/addresses/countries.facts.ts'"],
    ['src/catalog/prices/present.ts', "import type { Row } from './queries.ts'"],
    ['src/platform/outbound/outbound.ts', "import { request } from 'undici'"],
    ['src/platform/outbound/download.ts', "import type { Dispatcher } from 'undici'\nconst a = pictures.fetch(1)"],
    ['src/catalog/products/state.ts', "import type { A } from './parts.rules.ts'"],
    ['src/catalog/pictures/decode.process.ts', "import sharp from 'sharp'"],
    ['src/selling/invoices/renderer.process.ts', "import { drawInvoice } from './pdf.process.ts'"],
    ['src/identity/users/views.ts', "import { html } from 'ghtml'\nimport { layout } from '#platform/pages/layout.ts'"],
    [
      'src/platform/pages/csrf.ts',
      "import csrf from '@fastify/csrf-protection'\nimport { a } from '../identity/crypto.ts'",
    ],
    ['src/platform/log/log.ts', "import type { A } from 'fastify'"],
    ['src/app.ts', "import { a } from '#catalog/products/routes.ts'\nimport { b } from './resources.ts'"],
    [
      'src/program/command-line/serve.ts',
      "import { createApp } from '../../app.ts'\nimport { a } from '#program/boot/service.ts'",
    ],
    ['src/catalog/products/products.test.ts', "import { useService } from '#test/harness.ts'"],
    ['test/audit/routes.test.ts', "import { useService } from '#test/harness.ts'"],
    ['test/harness.ts', "import { createApp } from '../src/app.ts'"],
    ['test/client/a.test.ts', "import { createClient } from '#client/licet.ts'"],
    ['client/src/client.ts', "import { send } from './transport.ts'"],
    ['pdf-text/src/fonts.ts', "import { a } from 'harfbuzzjs'\nimport { b } from './letters.ts'"],
    ['src/selling/invoices/pdf.process.ts', "import { a } from '#pdf-text/fonts.ts'"],
  ]
  for (const [path, text] of accepted) {
    test(`${path}: ${text.replaceAll('\n', '; ')}`, () => assert.deepEqual(complaints(path, text), []))
  }
})

describe('circles', () => {
  const a = { path: 'src/catalog/products/commands.ts', text: "import { b } from '#catalog/categories/queries.ts'" }
  const backTo = (name: string, word = '') => ({
    path: 'src/catalog/categories/queries.ts',
    text: `import ${word}{ a } from '#catalog/products/${name}.ts'`,
  })

  test('two files that need each other are told with the way around', () => {
    const [cycle] = findCycles([a, backTo('commands')])
    const way = 'src/catalog/products/commands.ts → src/catalog/categories/queries.ts → src/catalog/products/commands'
    assert.ok(cycle?.message.includes(way), String(cycle?.message))
  })

  test('two rooms of a wing that need each other are told, also by other files', () => {
    assert.deepEqual(findCycles([a, backTo('rules')]), [])
    assert.deepEqual(
      findRoomCircles([a, backTo('rules')]).map(({ path }) => path),
      [a.path, 'src/catalog/categories/queries.ts'],
    )
  })

  test('a type closes no circle', () => {
    assert.deepEqual(findCycles([a, backTo('commands', 'type ')]), [])
    assert.deepEqual(findRoomCircles([a, backTo('rules', 'type ')]), [])
  })
})

test('complaints name file and line', () => {
  const source = { path: 'src/catalog/products/rules.ts', text: "\n\nimport { sql } from 'kysely'" }
  assert.deepEqual(checkImports([source]), ['src/catalog/products/rules.ts:3 imports kysely, which rules may not'])
})

test('seeing no import at all is a failure', () => {
  assert.match(checkImports([]).join(), /saw no imports/)
  assert.match(checkImports([{ path: 'src/catalog/products/rules.ts', text: 'const a = 1' }]).join(), /saw no imports/)
})

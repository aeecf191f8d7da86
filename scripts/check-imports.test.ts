import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkFile, checkImports, findCycles, importsOf } from './check-imports.ts'

const complaints = (path: string, text: string) => checkFile({ path, text }).map(({ message }) => message)

describe('what counts as an import', () => {
  const forms: [string, { name: string; type: boolean }][] = [
    ["import { a } from './a.ts'", { name: './a.ts', type: false }],
    ["import {\n  a,\n  b,\n} from './a.ts'", { name: './a.ts', type: false }],
    ["import type { A } from './a.ts'", { name: './a.ts', type: true }],
    ["import { type A } from './a.ts'", { name: './a.ts', type: false }],
    ["import './a.ts'", { name: './a.ts', type: false }],
    ["const a = await import('./a.ts')", { name: './a.ts', type: false }],
    ["export * from './a.ts'", { name: './a.ts', type: false }],
    ["export type { A } from './a.ts'", { name: './a.ts', type: true }],
    ['import a from "./a.ts"', { name: './a.ts', type: false }],
  ]
  for (const [text, expected] of forms) {
    test(text.replaceAll('\n', ' '), () => {
      assert.deepEqual(
        importsOf(text).map(({ name, type }) => ({ name, type })),
        [expected],
      )
    })
  }

  test('comments and texts are none', () => {
    assert.deepEqual(importsOf("// import './a.ts'\nconst text = \"import './b.ts'\""), [])
  })

  test('the line is that of the name', () => {
    assert.equal(importsOf("\nimport {\n  a,\n} from './a.ts'")[0]?.line, 4)
  })
})

describe('refused', () => {
  const refused: [string, string, RegExp][] = [
    // How an import is spelt.
    ['src/products/queries.ts', "import { a } from './errors'", /without its ending/],
    ['src/products/queries.ts', "import { a } from '../pictures/queries.ts'", /use #pictures\/queries\.ts/],
    ['src/products/queries.ts', "import { a } from '#products/errors.ts'", /use a relative path/],
    ['src/products/queries.ts', "import { a } from '#pictures/index.ts'", /index file/],
    ['src/products/index.ts', '', /is an index file/],
    ['src/app.ts', "import { a } from './products/routes.ts'", /use #products\/routes\.ts/],
    ['src/products/names.ts', 'await import(name)', /computed/],
    ['test/audit/a.test.ts', "import { a } from '../../src/products/queries.ts'", /use #products/],
    // Which folder may know which.
    ['src/platform/wire.ts', "import { a } from '#products/rules.ts'", /platform knows no resource/],
    ['src/platform/wire.ts', "import { a } from '../app.ts'", /platform knows no resource/],
    ['src/platform/http/errors.ts', "import { a } from '#pages/layout.ts'", /platform knows no resource/],
    ['src/pages/layout.ts', "import { a } from '#sign-in/rules.ts'", /comes after pages/],
    ['src/pictures/queries.ts', "import { a } from '#products/queries.ts'", /comes after pictures/],
    ['src/events/emit.ts', "import { a } from '#products/queries.ts'", /comes after events/],
    ['src/products/queries.ts', "import { a } from '../app.ts'", /not they it/],
    ['src/products/commands.ts', "import { a } from '#boot/store.ts'", /comes after products/],
    ['src/boot/store.ts', "import { a } from '#command-line/run.ts'", /comes after boot/],
    ['src/novelty/queries.ts', '', /no place in the order/],
    ['src/products/commands.ts', "import { a } from '#test/harness.ts'", /for tests/],
    ['src/products/commands.ts', "import { a } from '#client/licet.ts'", /the client is for other programs/],
    ['src/products/commands.ts', "import { a } from '@licet/client'", /the client is for other programs/],
    ['client/src/client.ts', "import { a } from '#products/schema.ts'", /the client stands alone/],
    ['client/src/client.ts', "import type { A } from '../../src/products/schema.ts'", /the client stands alone/],
    ['client/src/client.ts', "import { createHash } from 'node:crypto'", /the client stands alone/],
    ['test/client/a.test.ts', "import { a } from '../../client/src/licet.ts'", /use #client\/licet\.ts/],
    ['src/products/commands.ts', "import { a } from './products.test.ts'", /for tests/],
    // Who speaks HTTP.
    ['src/products/commands.ts', "import type { A } from 'fastify'", /HTTP belongs to/],
    ['src/products/names.ts', "import { a } from '@fastify/compress'", /HTTP belongs to/],
    ['src/worker.ts', "import Fastify from 'fastify'", /HTTP belongs to/],
    ['src/platform/metrics.ts', "import Fastify from 'fastify'", /HTTP belongs to/],
    // Who sends requests.
    ['src/pictures/fetch.ts', "import { request } from 'undici'", /go through src\/platform\/outbound\.ts/],
    ['src/boot/service.ts', "import { get } from 'node:https'", /go through src\/platform\/outbound\.ts/],
    ['src/platform/download.ts', 'const answer = await fetch(url)', /calls fetch/],
    // What a file's name allows.
    ['src/products/schema.ts', "import { sql } from 'kysely'", /a schema\.ts may not/],
    ['src/products/schema.ts', "import { a } from './queries.ts'", /a schema\.ts may not/],
    ['src/products/routes.ts', "import { sql } from 'kysely'", /a routes\.ts may not/],
    ['src/products/routes.ts', "import type { Db } from '#platform/db/database.ts'", /a routes\.ts may not/],
    ['src/products/routes.ts', "import { a } from '#categories/queries.ts'", /a routes\.ts may not/],
    ['src/products/queries.ts', "import { a } from './commands.ts'", /a queries\.ts may not/],
    ['src/products/queries.ts', "import { a } from '#platform/http/lists.ts'", /a queries\.ts may not/],
    ['src/products/commands.ts', "import { a } from './routes.ts'", /a commands\.ts may not/],
    ['src/products/commands.ts', "import { a } from '#pictures/present.ts'", /a commands\.ts may not/],
    ['src/products/commands.ts', "import { a } from '#platform/http/write.ts'", /a commands\.ts may not/],
    ['src/products/mirrors/jobs.ts', "import { enqueue } from '#platform/jobs/queue.ts'", /a jobs\.ts may not/],
    ['src/products/rules.ts', "import { sql } from 'kysely'", /a rules\.ts may not/],
    ['src/products/rules.ts', "import { readFile } from 'node:fs/promises'", /a rules\.ts may not/],
    ['src/products/rules.ts', "import { a } from '#platform/clock.ts'", /a rules\.ts may not/],
    ['src/products/locales.ts', "import { a } from './queries.ts'", /a rules\.ts may not/],
    ['src/products/present.ts', "import type { Db } from '#platform/db/database.ts'", /a present\.ts may not/],
    ['src/products/commands.ts', "import { a } from '#pages/layout.ts'", /a commands\.ts may not/],
    ['src/users/views.ts', "import { a } from '#pages/sessions.ts'", /a views\.ts may not/],
    ['src/products/errors.ts', "import { a } from './rules.ts'", /a errors\.ts may not/],
    ['src/products/state.ts', "import { a } from './rules.ts'", /holds types only/],
    ['src/prices/rules.ts', "import { a } from '#products/rules.ts'", /products comes after prices/],
    ['src/pictures/fetch.ts', "import { a } from '#platform/http/answers.ts'", /a file of this name may not/],
    ['src/pictures/fetch.ts', "import { a } from './routes.ts'", /a file of this name may not/],
    ['src/pictures/sizes.ts', "import sharp from 'sharp'", /decoded in pictures\/decode\.ts/],
    ['src/pictures/sizes.ts', "import { shrink } from './decode.ts'", /in a process of its own/],
    ['src/invoices/commands.ts', "import { drawInvoice } from './pdf.ts'", /in a process of its own/],
  ]
  for (const [path, text, reason] of refused) {
    test(`${path}: ${text}`, () => {
      assert.match(complaints(path, text).join('\n'), reason)
    })
  }
})

describe('accepted', () => {
  const accepted: [string, string][] = [
    ['src/products/schema.ts', "import { Type } from 'typebox'\nimport { Id } from '#platform/wire-schema.ts'"],
    ['src/products/routes.ts', "import { a } from './commands.ts'\nimport { b } from '#platform/http/lists.ts'"],
    ['src/products/queries.ts', "import { sql } from 'kysely'\nimport type { A } from '#pictures/rules.ts'"],
    ['src/products/commands.ts', "import { a } from '#categories/queries.ts'\nimport { emit } from '#events/emit.ts'"],
    ['src/categories/commands.ts', "import { a } from '#products/commands.ts'\nimport { b } from './present.ts'"],
    ['src/products/locales.ts', "import type { A } from './schema.ts'\nimport { b } from '#locales/rules.ts'"],
    [
      'src/prices/rules.ts',
      "import { a } from '#companies/countries.ts'\nimport { b } from '#currency-rates/currencies.ts'",
    ],
    ['src/currency-rates/rules.ts', "import { partOfCents } from '#platform/money.ts'"],
    ['src/platform/outbound.ts', "import { request } from 'undici'"],
    ['src/platform/download.ts', "import type { Dispatcher } from 'undici'\nconst a = pictures.fetch(1)"],
    ['src/licenses/present.ts', "import { languageId } from '#locales/languages.ts'"],
    ['src/products/state.ts', "import type { A } from './parts/rules.ts'"],
    ['src/pictures/decode.ts', "import sharp from 'sharp'\nimport { createSemaphore } from '#platform/semaphore.ts'"],
    ['src/invoices/renderer-process.ts', "import { drawInvoice } from './pdf.ts'"],
    ['src/users/views.ts', "import { html } from 'ghtml'\nimport { layout } from '#pages/layout.ts'"],
    ['src/users/routes.ts', "import { addPages } from '#pages/site.ts'"],
    ['src/pages/csrf.ts', "import csrf from '@fastify/csrf-protection'\nimport { a } from '#platform/crypto.ts'"],
    ['src/platform/log.ts', "import type { A } from 'fastify'"],
    ['src/app.ts', "import { a } from '#products/routes.ts'\nimport { VERSION } from './version.ts'"],
    ['src/main.ts', "import { a } from './command-line/serve.ts'"],
    ['src/command-line/serve.ts', "import { createApp } from '../app.ts'\nimport { a } from '#boot/service.ts'"],
    ['src/boot/service.ts', "import type { A } from 'fastify'\nimport { createApp } from '../app.ts'"],
    ['src/version.ts', "import manifest from '../package.json' with { type: 'json' }"],
    ['src/products/products.test.ts', "import { useService } from '#test/harness.ts'"],
    ['test/audit/routes.test.ts', "import { useService } from '#test/harness.ts'"],
    ['test/harness.ts', "import { createApp } from '../src/app.ts'"],
    ['test/client/a.test.ts', "import { createClient } from '#client/licet.ts'"],
    ['client/src/client.ts', "import { send } from './transport.ts'"],
  ]
  for (const [path, text] of accepted) {
    test(`${path}: ${text.replaceAll('\n', '; ')}`, () => assert.deepEqual(complaints(path, text), []))
  }
})

describe('circles', () => {
  const a = { path: 'src/products/commands.ts', text: "import { b } from '#categories/queries.ts'" }

  test('two files that need each other are told with the way around', () => {
    const b = { path: 'src/categories/queries.ts', text: "import { a } from '#products/commands.ts'" }
    const [cycle] = findCycles([a, b])
    assert.match(
      cycle?.message ?? '',
      /products\/commands\.ts → src\/categories\/queries\.ts → src\/products\/commands/,
    )
  })

  test('a type closes no circle', () => {
    const b = { path: 'src/categories/queries.ts', text: "import type { A } from '#products/commands.ts'" }
    assert.deepEqual(findCycles([a, b]), [])
  })
})

test('complaints name file and line', () => {
  const source = { path: 'src/products/rules.ts', text: "\n\nimport { sql } from 'kysely'" }
  assert.deepEqual(checkImports([source]), ['src/products/rules.ts:3 imports kysely, which a rules.ts may not'])
})

test('seeing no import at all is a failure', () => {
  assert.match(checkImports([]).join(), /saw no imports/)
  assert.match(checkImports([{ path: 'src/products/rules.ts', text: 'const a = 1' }]).join(), /saw no imports/)
})

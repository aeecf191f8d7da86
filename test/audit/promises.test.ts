import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'

/** Texts for people: pages, the terminal, and the errors of the API. Mails themselves have arrived when they are read. */
const TEXTS = [
  'src/**/views.ts',
  'src/**/errors.ts',
  'src/**/routes.ts',
  'src/program/command-line/*.ts',
  'src/program/boot/*.ts',
]

/** Sentences that say that a mail was sent, or surely will be. */
const PROMISE =
  /\bon (its|the) way\b|\b(has|have|was|were) (been )?(sent|mailed) (to|the customer|you|a mail)|\bwe (have )?(send|sent|mail|mailed)\b|invitation goes to/i

test('no text for people says that a mail is on its way, because it may be kept or fail', async () => {
  const seen = await Array.fromAsync(glob(TEXTS))
  assert.ok(seen.length > 50, `${seen.length} files`)
  for (const path of seen) {
    const [found] = PROMISE.exec(await readFile(path, 'utf8')) ?? []
    assert.equal(found, undefined, `${path}: mails are kept without a mail server, and sending one can fail`)
  }
})

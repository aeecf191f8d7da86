import assert from 'node:assert/strict'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '#platform/settings/config.ts'
import { runChecks } from '#program/command-line/doctor.ts'
import { selfSigned } from '#test/certificate.ts'
import { useService } from '#test/harness.ts'
import { fetchJson, openLicense } from '#test/reading-app.ts'
import { aProtectedBook, aReadingLicense, passphraseOf } from '#test/reading-licenses.ts'
import { openProvider } from './provider.files.ts'
import { TEST_CERTIFICATE, TEST_KEY } from './test-provider.facts.ts'
import { passphraseHash } from './user-keys.secrets.ts'

let folder = ''
const at = (name: string) => join(folder, name)

// A function as confidential as this one is no secret: it swaps the halves.
const SWAP =
  '#!/bin/sh\nread -r key\nhalf="????????????????????????????????"\necho "\u0024{key#$half}\u0024{key%$half}"\n'
// Writes how many of it run, each with a file of its own.
const countedIn = (place: string) =>
  `#!/bin/sh\nPATH=/usr/bin:/bin\ntouch "${place}/running-$$"\nls "${place}" | grep -c running- >> "${place}/runs"\nsleep 0.05\nrm "${place}/running-$$"\n${SWAP.split('\n').slice(1).join('\n')}`
const PROFILE = 'http://readium.org/lcp/profile-1.0'

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'licet-provider-'))
  const other = selfSigned('other')
  const contents = { 'own.pem': TEST_CERTIFICATE, 'own.key': TEST_KEY, 'other.pem': other.cert, 'other.key': other.key }
  for (const [name, text] of Object.entries(contents)) await writeFile(at(name), text)
  for (const [name, text] of Object.entries({ swap: SWAP, counted: countedIn(folder), silent: '#!/bin/sh\n' })) {
    await writeFile(at(name), text)
    await chmod(at(name), 0o755)
  }
})
after(() => rm(folder, { recursive: true, force: true }))

const settings = (changed: object = {}) => ({
  certificateFile: at('own.pem'),
  keyFile: at('own.key'),
  profile: PROFILE,
  userKeyCommand: at('swap'),
  ...changed,
})
const service = useService({ reading: () => settings() })

describe('the certificate of the operator', () => {
  test('signs licenses of its profile, with keys that its program makes of passphrases', async () => {
    const { shop, id, customer } = await aProtectedBook(service)
    const { license_url } = await aReadingLicense(service, shop, id)
    const { body: document } = await fetchJson(license_url)
    assert.equal(document.encryption.profile, PROFILE)
    const passphrase = await passphraseOf(shop, customer)
    await assert.rejects(openLicense(document, passphrase))
    const key = passphraseHash(passphrase).toString('hex')
    await openLicense(document, passphrase, key.slice(32) + key.slice(0, 32))
  })

  test('is refused with a sentence if it cannot be used', async () => {
    for (const [changed, said] of [
      [{ certificateFile: at('none.pem') }, /none\.pem cannot be read \(ENOENT\)/],
      [{ keyFile: at('own.pem') }, /not in PEM/],
      [{ keyFile: at('other.key') }, /must be an RSA key/],
      [{ certificateFile: at('other.pem') }, /does not belong/],
      [{ userKeyCommand: undefined }, /LICET_LCP_USER_KEY_COMMAND must be set/],
    ] as const)
      await assert.rejects(openProvider(settings(changed)), said)
    for (const [command, said] of [
      [at('none'), /cannot be run/],
      [at('silent'), /did not answer/],
    ] as const) {
      const { userKeyOf } = await openProvider(settings({ userKeyCommand: command }))
      await assert.rejects(userKeyOf(Buffer.alloc(32)), said)
    }
  })

  test('is asked once for many requests, and for few keys at the same time', async () => {
    const { userKeyOf } = await openProvider(settings({ userKeyCommand: at('counted') }))
    const runs = async () => (await readFile(at('runs'), 'utf8')).trim().split('\n')
    const keys = await Promise.all(Array.from({ length: 40 }, () => userKeyOf(Buffer.alloc(32, 1))))
    assert.equal(new Set(keys.map(String)).size, 1)
    assert.equal((await runs()).length, 1)
    await Promise.all(Array.from({ length: 20 }, (_, at) => userKeyOf(Buffer.alloc(32, at + 2))))
    const said = await runs()
    assert.equal(said.length, 21)
    const most = Math.max(...said.map(Number))
    assert.ok(most <= 2, `${most} programs at once`)
  })

  test('is shown by the doctor, and so is what is wrong with it', async () => {
    const said = async (env: Record<string, string>) => {
      const findings = await runChecks(
        readConfig({ LICET_DATA: at('data'), DATABASE_URL: 'postgres://127.0.0.1:9/none', ...env }),
      )
      return findings.find(({ what }) => what === 'Protected books')
    }
    assert.equal((await said({}))?.warning, true)
    const own = { LICET_LCP_CERTIFICATE: at('own.pem'), LICET_LCP_PRIVATE_KEY: at('own.key') }
    assert.deepEqual((await said(own))?.ok, false)
    const right = await said({ ...own, LICET_LCP_USER_KEY_COMMAND: at('swap') })
    assert.equal(right?.ok, true, right?.detail ?? '')
    assert.match(right?.detail ?? '', /^CN=Test provider certificate, valid until 2036-/)
    assert.throws(() => readConfig({ LICET_LCP_CERTIFICATE: at('own.pem') }), /must be set together/)
  })
})

import { spawn } from 'node:child_process'
import { createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import { createSemaphore } from '#platform/processes/semaphore.ts'
import type { ReadingSettings } from '#platform/settings/reading-settings.ts'
import { TEST_CERTIFICATE, TEST_KEY } from './test-provider.facts.ts'

export const BASIC_PROFILE = 'http://readium.org/lcp/basic-profile'

/** Who issues licenses: with its certificate and, for most profiles, a way of its own from passphrases to keys. */
export type Provider = {
  profile: string
  certificate: X509Certificate
  /** RSA with SHA-256. */
  sign(bytes: Buffer): Buffer
  /** The key of a reader, from the hash of the passphrase. */
  userKeyOf(passphraseHash: Buffer): Promise<Buffer>
}

/** Why the settings cannot be used, as a sentence for the operator. */
export class ProviderFault extends Error {}

const opened = new WeakMap<ReadingSettings, Promise<Provider>>()
let testProvider: Provider | undefined

/** The provider of the settings. Its files are read once; without settings it is the one for tests. */
export function openProvider(settings: ReadingSettings | undefined): Promise<Provider> {
  if (settings === undefined) {
    testProvider ??= providerOf(TEST_CERTIFICATE, TEST_KEY, BASIC_PROFILE, undefined)
    return Promise.resolve(testProvider)
  }
  const known = opened.get(settings)
  if (known !== undefined) return known
  const provider = readProvider(settings)
  opened.set(settings, provider)
  // A file that is not there yet is read again with the next request.
  provider.catch(() => opened.delete(settings))
  return provider
}

async function readProvider({ certificateFile, keyFile, profile, userKeyCommand }: ReadingSettings): Promise<Provider> {
  const [certificate, key] = await Promise.all([read(certificateFile), read(keyFile)])
  if (profile !== BASIC_PROFILE && userKeyCommand === undefined)
    throw new ProviderFault(`LICET_LCP_USER_KEY_COMMAND must be set for ${profile}.`)
  return providerOf(certificate, key, profile, userKeyCommand)
}

async function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: { code?: string }) => {
    throw new ProviderFault(`${path} cannot be read (${error.code}).`)
  })
}

function providerOf(certificatePem: string, keyPem: string, profile: string, command: string | undefined): Provider {
  const { certificate, key } = parse(certificatePem, keyPem)
  return {
    profile,
    certificate,
    sign: (bytes) => sign('sha256', bytes, key),
    userKeyOf: async (hash) =>
      profile === BASIC_PROFILE || command === undefined ? hash : askOnce(command, profile, hash),
  }
}

function parse(certificatePem: string, keyPem: string): { certificate: X509Certificate; key: KeyObject } {
  let certificate: X509Certificate
  let key: KeyObject
  try {
    certificate = new X509Certificate(certificatePem)
    key = createPrivateKey(keyPem)
  } catch (cause) {
    throw new ProviderFault('The certificate or its key is not in PEM, or the key has a password.', { cause })
  }
  if (key.asymmetricKeyType !== 'rsa') throw new ProviderFault('The key of the certificate must be an RSA key.')
  if (!certificate.checkPrivateKey(key)) throw new ProviderFault('The key does not belong to the certificate.')
  return { certificate, key }
}

const TIMEOUT_MS = 10_000
const KEY = /^[0-9a-f]{64}$/

/** Anybody who has the address of a license can ask for it, so few programs run at once, and few others wait for them. */
const atOnce = createSemaphore(2, 100)
const KEYS_MAX = 500
/** As long as a reading app fetches its license and what belongs to it. */
const KEPT_MS = 60_000
const keys = new LRUCache<string, Promise<Buffer>>({ max: KEYS_MAX, ttl: KEPT_MS })

function askOnce(command: string, profile: string, hash: Buffer): Promise<Buffer> {
  const name = `${command} ${profile} ${hash.toString('hex')}`
  const known = keys.get(name)
  if (known !== undefined) return known
  const key = atOnce(() => ask(command, profile, hash))
  keys.set(name, key)
  key.catch(() => keys.delete(name))
  return key
}

/** The program gets no environment, which may hold secrets. */
async function ask(command: string, profile: string, hash: Buffer): Promise<Buffer> {
  const child = spawn(command, [profile], { stdio: ['pipe', 'pipe', 'ignore'], timeout: TIMEOUT_MS, env: {} })
  const failed = new Promise<never>((_resolve, reject) => {
    child.once('error', (cause) => reject(new ProviderFault(`${command} cannot be run.`, { cause })))
  })
  child.stdin.on('error', () => {})
  child.stdin.end(`${hash.toString('hex')}\n`)
  const answer = (await Promise.race([text(child.stdout), failed])).trim().toLowerCase()
  if (!KEY.test(answer)) throw new ProviderFault(`${command} did not answer with 64 hexadecimal digits.`)
  return Buffer.from(answer, 'hex')
}

import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

export type Certificate = { key: string; cert: string }

/** A certificate that can sign others. */
export type Authority = Certificate & { name: string; privateKey: KeyObject }

type Validity = { from?: Date; until?: Date }

/** One value in DER: tag, length, content. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const digits = content.length.toString(16)
  const size = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  const length = content.length < 128 ? size : Buffer.concat([Buffer.from([0x80 + size.length]), size])
  return Buffer.concat([Buffer.from([tag]), length, content])
}

const hex = (text: string) => Buffer.from(text, 'hex')
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const objectId = (text: string) => der(0x06, hex(text))
const utcTime = (time: Date) => der(0x17, Buffer.from(`${time.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))

const ECDSA_WITH_SHA256 = sequence(objectId('2a8648ce3d040302'))
const COMMON_NAME = objectId('550403')
const BASIC_CONSTRAINTS = objectId('551d13')
const SUBJECT_ALT_NAME = objectId('551d11')
const TRUE = der(0x01, hex('ff'))
const DAY_MS = 86_400_000

/** Signed with its own key. */
export function selfSigned(...names: string[]): Certificate {
  return build(names, undefined, true)
}

/** An authority that signs itself, or one that another authority signs: an intermediate one. */
export function createAuthority(name: string, issuer?: Authority): Authority {
  return { ...build([name], issuer, true), name }
}

/** A certificate of a server. */
export function issue(issuer: Authority, names: string[], validity: Validity = {}): Certificate {
  return build(names, issuer, false, validity)
}

/** Built by hand, because Node cannot create certificates and a machine may lack openssl. */
function build(
  names: string[],
  issuer: Authority | undefined,
  isAuthority: boolean,
  { from = new Date(Date.now() - DAY_MS), until = new Date(Date.now() + DAY_MS) }: Validity = {},
): Certificate & { privateKey: KeyObject } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const altNames = names.map((entry) =>
    isIPv4(entry) ? der(0x87, Buffer.from(entry.split('.').map(Number))) : der(0x82, Buffer.from(entry)),
  )
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, TRUE, der(0x04, isAuthority ? sequence(TRUE) : sequence())),
    sequence(SUBJECT_ALT_NAME, der(0x04, sequence(...altNames))),
  )
  const body = sequence(
    der(0xa0, der(0x02, hex('02'))),
    der(0x02, Buffer.concat([hex('01'), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    commonName(issuer?.name ?? names[0]),
    sequence(utcTime(from), utcTime(until)),
    commonName(names[0]),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = der(0x03, hex('00'), sign('sha256', body, issuer?.privateKey ?? privateKey))
  const text = sequence(body, ECDSA_WITH_SHA256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${text.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`,
    privateKey,
  }
}

function commonName(name = ''): Buffer {
  return sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))))
}

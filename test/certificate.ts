import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

export type Certificate = { key: string; cert: string }

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

/** Built by hand, because Node cannot create certificates and a machine may lack openssl. */
export function selfSigned(...names: string[]): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(names[0] ?? '')))))
  const altNames = names.map((entry) =>
    isIPv4(entry) ? der(0x87, Buffer.from(entry.split('.').map(Number))) : der(0x82, Buffer.from(entry)),
  )
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, TRUE, der(0x04, sequence(TRUE))),
    sequence(SUBJECT_ALT_NAME, der(0x04, sequence(...altNames))),
  )
  const body = sequence(
    der(0xa0, der(0x02, hex('02'))),
    der(0x02, Buffer.concat([hex('01'), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime(new Date(Date.now() - DAY_MS)), utcTime(new Date(Date.now() + DAY_MS))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = der(0x03, hex('00'), sign('sha256', body, privateKey))
  const text = sequence(body, ECDSA_WITH_SHA256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${text.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}

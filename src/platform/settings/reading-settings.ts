import { resolve } from 'node:path'
import { type Static, Type } from 'typebox'

/** The settings of the certificate by which books for reading apps are signed. Part of the list of settings. */
export const READING_SETTINGS = {
  LICET_LCP_CERTIFICATE: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'File with your provider certificate of Readium LCP, in PEM, as EDRLab issues it. If not set: the certificate of the test provider, which reading apps accept for trials only.',
    }),
  ),
  LICET_LCP_PRIVATE_KEY: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'File with the private key that belongs to LICET_LCP_CERTIFICATE, in PEM.',
    }),
  ),
  LICET_LCP_PROFILE: Type.String({
    default: 'http://readium.org/lcp/profile-1.0',
    format: 'http-url',
    description:
      'Encryption profile of Readium LCP that belongs to LICET_LCP_CERTIFICATE. Without a certificate it is the basic profile.',
  }),
  LICET_LCP_USER_KEY_COMMAND: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Program that turns the hash of a passphrase into the key of the reader, as your agreement with EDRLab says: it gets the profile as its argument and 64 hexadecimal digits on its standard input, and writes as many. Needed for every profile but the basic one.',
    }),
  ),
}

const Raw = Type.Object(READING_SETTINGS)
type Raw = Static<typeof Raw>

/** The certificate of the operator. */
export type ReadingSettings = {
  certificateFile: string
  keyFile: string
  profile: string
  userKeyCommand: string | undefined
}

/** A certificate without its key is a mistake. */
export function readReading(raw: Raw, mistakes: string[]): ReadingSettings | undefined {
  const { LICET_LCP_CERTIFICATE: certificate, LICET_LCP_PRIVATE_KEY: key } = raw
  if ((certificate === undefined) !== (key === undefined))
    mistakes.push('LICET_LCP_CERTIFICATE and LICET_LCP_PRIVATE_KEY must be set together.')
  if (certificate === undefined || key === undefined) return undefined
  const { LICET_LCP_PROFILE: profile, LICET_LCP_USER_KEY_COMMAND: command } = raw
  return {
    certificateFile: resolve(certificate),
    keyFile: resolve(key),
    profile,
    userKeyCommand: command === undefined ? undefined : resolve(command),
  }
}

import { type Static, Type } from 'typebox'

/** The settings of the way to commercial DRM. Part of the list of settings. */
export const DRM_SETTINGS = {
  LICET_DRM_PROXY_URL: Type.Optional(
    Type.String({
      format: 'http-url',
      description:
        'Address of a program of yours that speaks to a service of commercial DRM: what decryption modules ask for is sent to `/widevine`, `/playready` or `/fairplay` below it, with a signed statement of what was decided. If not set: commercial DRM is off.',
    }),
  ),
  LICET_DRM_PROXY_SECRET: Type.Optional(
    Type.String({
      minLength: 32,
      description: 'Secret that LICET_DRM_PROXY_URL shares with the service: it signs the statements.',
    }),
  ),
}

const Raw = Type.Object(DRM_SETTINGS)
type Raw = Static<typeof Raw>

/** Where requests of decryption modules go, and the secret that signs what is said with them. */
export type DrmProxy = { url: string; secret: string }

/** An address without a secret is a mistake: nobody could tell its statements from others. */
export function readDrmProxy(raw: Raw, mistakes: string[]): DrmProxy | undefined {
  const { LICET_DRM_PROXY_URL: url, LICET_DRM_PROXY_SECRET: secret } = raw
  if ((url === undefined) !== (secret === undefined))
    mistakes.push('LICET_DRM_PROXY_URL and LICET_DRM_PROXY_SECRET must be set together.')
  return url === undefined || secret === undefined ? undefined : { url: url.replace(/\/$/, ''), secret }
}

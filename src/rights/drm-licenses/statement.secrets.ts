import { createSecretKey, hkdfSync } from 'node:crypto'
import type { LicensedKey, StatementClaims } from './state.ts'

/** Loaded with the first license, so that a start does not wait for it. */
const jose = () => import('jose')

const STATEMENT_TYPE = 'drm-statement+jwt'
const KEYS_PURPOSE = 'LICET-DRM-KEYS'
const KEY_BYTES = 32

/** The keys of a statement, encrypted for who has the secret (RFC 7516), as a key set (RFC 7517, section 7). */
async function encryptKeys(secret: string, { id, key }: Pick<LicensedKey, 'id' | 'key'>): Promise<string> {
  const { CompactEncrypt } = await jose()
  const set = { keys: [{ kty: 'oct', kid: id, k: key.toString('base64url') }] }
  return new CompactEncrypt(Buffer.from(JSON.stringify(set)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', cty: 'jwk-set+json' })
    .encrypt(new Uint8Array(hkdfSync('sha256', secret, '', KEYS_PURPOSE, KEY_BYTES)))
}

/** Signs what the rights engine decided, with the key that it is about (RFC 7519, HS256). */
export async function signStatement(
  secret: string,
  claims: StatementClaims,
  { issuer, audience, licensed }: { issuer: string; audience: string; licensed: LicensedKey },
): Promise<string> {
  const { SignJWT } = await jose()
  return new SignJWT({ ...claims, keys: await encryptKeys(secret, licensed) })
    .setProtectedHeader({ alg: 'HS256', typ: STATEMENT_TYPE })
    .setIssuer(issuer)
    .setAudience(audience)
    .sign(createSecretKey(Buffer.from(secret)))
}

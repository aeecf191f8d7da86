import type { JWTPayload } from 'jose'

/** The algorithm of all keys: Ed25519. */
export const ALGORITHM = 'EdDSA'

export type NewKey = { kid: string; publicKey: string; privateKey: string }

/** Loaded when something is signed for the first time, so that a start does not wait for it. */
const jose = () => import('jose')

export async function generateKey(): Promise<NewKey> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await jose()
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true })
  const { kty, crv, x } = await exportJWK(publicKey)
  if (kty === undefined || crv === undefined || x === undefined) throw new Error('the new key has no public half')
  const kid = await calculateJwkThumbprint({ kty, crv, x })
  return { kid, publicKey: x, privateKey: JSON.stringify(await exportJWK(privateKey)) }
}

/** A compact JWS of the claims. `type` says what it is, so that no file passes for another. */
export async function signClaims(
  { kid, privateKey }: { kid: string; privateKey: string },
  type: string,
  claims: JWTPayload,
): Promise<string> {
  const { importJWK, SignJWT } = await jose()
  const key = await importJWK(JSON.parse(privateKey), ALGORITHM)
  return new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, typ: type, kid }).sign(key)
}

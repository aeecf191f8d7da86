import type { JsonWebKey } from './schema.ts'
import type { SigningKey } from './state.ts'

export function presentJsonWebKey({ kid, public_key }: SigningKey): JsonWebKey {
  return { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid, x: public_key }
}

import { type Static, Type } from 'typebox'

/** A public key as RFC 7517 and RFC 8037 write it. */
export const JsonWebKey = Type.Object({
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  alg: Type.Literal('EdDSA'),
  use: Type.Literal('sig'),
  kid: Type.String(),
  x: Type.String(),
})
export type JsonWebKey = Static<typeof JsonWebKey>

export const JsonWebKeySet = Type.Object({ keys: Type.Array(JsonWebKey) })

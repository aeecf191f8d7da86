import { hash } from 'node:crypto'

/** PKCE (RFC 7636), method S256. */
export function provesChallenge(verifier: string, challenge: string): boolean {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) && hash('sha256', verifier, 'base64url') === challenge
}

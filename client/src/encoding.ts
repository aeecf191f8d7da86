export type Bytes = Uint8Array<ArrayBuffer>

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text)
}

export function randomBytes(length: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(length))
}

export function concatenated(...parts: Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

export function hmacKey(bytes: Bytes, use: 'sign' | 'verify'): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use])
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Base64 for URLs (RFC 4648, section 5), with its padding. */
export function toBase64Url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_')
}

/** The bytes of a Base64 text, or undefined if it is none. */
export function fromBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** The same of Base64 for URLs, with or without its padding. */
export function fromBase64Url(text: string): Bytes | undefined {
  return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
}

/** Takes the same time wherever the texts differ, so that the time tells nothing about the right one. */
export function isSameText(left: string, right: string): boolean {
  const [a, b] = [utf8(left), utf8(right)]
  let difference = a.length ^ b.length
  for (const [at, byte] of a.entries()) difference |= byte ^ (b[at] ?? 0)
  return difference === 0
}

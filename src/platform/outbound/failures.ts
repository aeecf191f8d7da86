import { errorCode } from '../errors/error-code.ts'
import { PrivateAddressError } from './connector.ts'

/** `code` never changes; `reason` is a sentence for the developer of the other side. */
export type PostFailure = { code: FailureCode; reason: string }

export type FailureCode =
  | 'invalid_address'
  | 'private_address'
  | 'name_not_found'
  | 'name_lookup_failed'
  | 'connection_refused'
  | 'connection_closed'
  | 'connect_timeout'
  | 'answer_timeout'
  | 'unreachable'
  | 'certificate_self_signed'
  | 'certificate_expired'
  | 'certificate_not_yet_valid'
  | 'certificate_wrong_name'
  | 'certificate_incomplete'
  | 'certificate_untrusted'
  | 'certificate_invalid'
  | 'tls_missing'
  | 'tls_failed'
  | 'invalid_answer'

/** The time for one part of a post ran out. */
export class WaitError extends Error {
  readonly waitingFor: 'connection' | 'answer'
  readonly ms: number
  constructor(waitingFor: 'connection' | 'answer', ms: number) {
    super(`waited ${ms} ms for the ${waitingFor}`)
    this.name = 'WaitError'
    this.waitingFor = waitingFor
    this.ms = ms
  }
}

const UNTRUSTED: PostFailure = {
  code: 'certificate_untrusted',
  reason:
    'The certificate of the server was issued by an authority that is not trusted here. ' +
    'Use a certificate from a public authority, for example Let’s Encrypt.',
}
const CLOSED: PostFailure = {
  code: 'connection_closed',
  reason: 'The server closed the connection before it answered.',
}
const TLS_MISSING: PostFailure = {
  code: 'tls_missing',
  reason:
    'The server does not speak TLS on this port, though the address starts with https://. ' +
    'Turn on TLS, or use an address that starts with http://.',
}
const UNREACHABLE: PostFailure = {
  code: 'unreachable',
  reason: 'There is no route to the server: check the address that its name resolves to.',
}
const CONNECT_TIMEOUT: PostFailure = {
  code: 'connect_timeout',
  reason: 'The server did not accept the connection in time. A firewall may block the port.',
}
const INVALID_ANSWER: PostFailure = {
  code: 'invalid_answer',
  reason: 'The server sent an answer that is not valid HTTP.',
}

/** The failures that a code of Node, OpenSSL or undici says enough about. */
const BY_CODE: Readonly<Record<string, PostFailure>> = {
  ECONNREFUSED: {
    code: 'connection_refused',
    reason: 'The connection was refused: nothing listens on this port of the server.',
  },
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  ETIMEDOUT: CONNECT_TIMEOUT,
  UND_ERR_CONNECT_TIMEOUT: CONNECT_TIMEOUT,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    code: 'certificate_self_signed',
    reason:
      'The certificate of the server is self-signed. ' +
      'Use a certificate from a public authority, for example Let’s Encrypt.',
  },
  CERT_HAS_EXPIRED: {
    code: 'certificate_expired',
    reason: 'The certificate of the server, or one in its chain, has expired. Renew it.',
  },
  CERT_NOT_YET_VALID: {
    code: 'certificate_not_yet_valid',
    reason:
      'The certificate of the server is not valid yet. Check its dates and the clock of the machine that issued it.',
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    code: 'certificate_incomplete',
    reason:
      'The server does not send its intermediate certificate, so the certificate cannot be traced to an authority. ' +
      'Let it send the full chain (often a file called fullchain.pem).',
  },
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  // Undici stumbles over an answer that switches protocols.
  ERR_ASSERTION: INVALID_ANSWER,
  ERR_SSL_WRONG_VERSION_NUMBER: TLS_MISSING,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: TLS_MISSING,
  ERR_SSL_HTTP_REQUEST: TLS_MISSING,
  UND_ERR_HEADERS_OVERFLOW: {
    code: 'invalid_answer',
    reason: 'The headers of the answer are larger than 16 KB.',
  },
}

/** Faults of the caller and the end of the service; no failure of the other side. */
const OWN_CODES = /^UND_ERR_(INVALID_ARG|CLOSED|DESTROYED|NOT_SUPPORTED)$/

/** Says why a post got no answer; undefined if the other side has nothing to do with it. */
export function explainFailure(error: unknown, host: string): PostFailure | undefined {
  if (error instanceof PrivateAddressError)
    return {
      code: 'private_address',
      reason: 'The address leads into a private network, which is not allowed. Use a public address.',
    }
  if (error instanceof WaitError) return explainWait(error)
  if (isInvalidAnswer(error)) return INVALID_ANSWER
  const code = errorCode(error)
  if (!(error instanceof Error) || code === undefined || OWN_CODES.test(code)) return undefined
  if (code === 'ENOTFOUND')
    return {
      code: 'name_not_found',
      reason: `The name ${host} does not resolve to an address: check its spelling and its DNS records.`,
    }
  if (code === 'EAI_AGAIN')
    return { code: 'name_lookup_failed', reason: `The name servers gave no answer about ${host}.` }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return explainWrongName(error, host)
  return BY_CODE[code] ?? explainOther(code)
}

/** Undici has no code for an error of its parser, and reports what the parser cannot see as an error of the socket. */
function isInvalidAnswer(error: unknown): boolean {
  return error instanceof Error && (error.name === 'HTTPParserError' || /^bad (response|upgrade)$/.test(error.message))
}

function explainWait({ waitingFor, ms }: WaitError): PostFailure {
  const seconds = Number((ms / 1000).toFixed(1))
  return waitingFor === 'answer'
    ? { code: 'answer_timeout', reason: `The server did not answer within ${seconds} seconds.` }
    : { code: 'connect_timeout', reason: `The server had no connection free for ${seconds} seconds.` }
}

const NAMES_SHOWN_MAX = 5
const NAMES_CHARACTERS_MAX = 300

function explainWrongName(error: Error, host: string): PostFailure {
  const names = namesOf('cert' in error ? error.cert : undefined)
  const rest = names === '' ? 'names no host' : `is for ${names}`
  return { code: 'certificate_wrong_name', reason: `The certificate of the server ${rest}, not for ${host}.` }
}

/** The certificate comes from the other side, so only a few of its names are shown, and only printable characters. */
function namesOf(cert: unknown): string {
  if (typeof cert !== 'object' || cert === null || !('subjectaltname' in cert)) return ''
  const names = String(cert.subjectaltname)
    .slice(0, NAMES_CHARACTERS_MAX)
    .replace(/[^\x20-\x7e]/g, '?')
    .split(', ')
    .map((name) => name.replace(/^(DNS|IP Address):/, ''))
  const more = names.length - NAMES_SHOWN_MAX
  return names.slice(0, NAMES_SHOWN_MAX).join(', ') + (more > 0 ? ' and others' : '')
}

function explainOther(code: string): PostFailure {
  if (/^(ERR_SSL_|EPROTO$)/.test(code))
    return {
      code: 'tls_failed',
      reason: `The server and this service could not agree on a TLS connection (${code}). TLS 1.2 or 1.3 is needed.`,
    }
  if (/CERT|SIGNATURE|_CA$|_CA_|CRL|KEY_TOO|MD_TOO|INVALID_PURPOSE/.test(code))
    return { code: 'certificate_invalid', reason: `The certificate of the server is not valid (${code}).` }
  return { code: 'unreachable', reason: `The server could not be reached (${code}).` }
}

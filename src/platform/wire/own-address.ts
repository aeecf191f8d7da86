import { isIP } from 'node:net'

/** What both placeholders begin with: a document without it has neither, and is looked through once. */
export const OWN = '~licet-own-'

/**
 * Stands in stored documents for the service's own address, which may change between a write and a read.
 * A caller who writes it into a text gets an address for it, and nothing else. It begins with a character that is rare
 * in documents, so that looking for it costs almost nothing.
 */
export const OWN_ADDRESS = `${OWN}address`

/** Stands for the host of that address alone, for the names below it. */
export const OWN_HOST = `${OWN}host`

/** The host of the service's address. An IP address has no names below it: the machine's own name stands in for it. */
export function ownHost(baseUrl: string): string {
  const { hostname } = new URL(baseUrl)
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname.replace(/\.$/, '') : 'localhost'
}

/** A requested host without its port, in lower case. */
export function hostName(asked: string): string {
  return asked.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}

/**
 * Is this host the service itself? An IP address or a name without a dot always is: no other site
 * can have either.
 */
export function isOwnHost(asked: string, baseUrl: string): boolean {
  const host = hostName(asked)
  return !host.includes('.') || host.startsWith('[') || isIP(host) !== 0 || baseUrl === '' || host === ownHost(baseUrl)
}

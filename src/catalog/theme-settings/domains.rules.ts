import type { Fault, FieldReport } from '#platform/errors/problem.ts'
import { hostName, OWN_HOST, ownHost } from '#platform/wire/own-address.ts'
import { hostInvalid, hostOfService, hostReserved, hostsEqual } from './errors.ts'

/** The kinds of hosts of a shop. The first two are labels below the service's own host, the others are whole hosts. */
export const HOST_KINDS = ['sub_domain', 'vanity_domain', 'shop_domain', 'access_domain'] as const

export type HostKind = (typeof HOST_KINDS)[number]

/** The hosts of one shop; an empty text means none. */
export type Hosts = Record<HostKind, string>

/** The domain to link to, in the order of preference of shop owners, with a placeholder for the service's own host. */
export function recommendedDomain({ shop_domain, vanity_domain, sub_domain }: Hosts): string {
  return shop_domain || `${vanity_domain || sub_domain}.${OWN_HOST}`
}

/** The hosts of a shop without those that do not answer yet. */
export function answeringHosts(hosts: Hosts, answering: readonly string[]): Hosts {
  const kept = (host: string) => (answering.includes(host) ? host : '')
  return { ...hosts, shop_domain: kept(hosts.shop_domain), access_domain: kept(hosts.access_domain) }
}

type Answering = { id: number; hosts: Partial<Hosts> | null }

/** The host of an address of the shop other than that of My Content, if it still answers. */
function answeringHost({ hosts }: Answering, asked: string | undefined, baseUrl: string): string | undefined {
  const { access_domain: _access, ...others } = hosts ?? {}
  const names = Object.values(others).map((host) => (host.includes('.') ? host : `${host}.${ownHost(baseUrl)}`))
  return names.find((name) => name === asked)
}

function addressAt(host: string | undefined, id: number, baseUrl: string): string {
  if (!host) return `${baseUrl}/shop/${id}`
  const { protocol, port } = new URL(baseUrl)
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`
}

/**
 * Where links in mails find the shop: at the host where the customer was, whose browser is known there, else at its own
 * domain, once it is proved, or else at an address that always answers.
 */
export function homeAddress(shop: Answering, baseUrl: string, visited?: string): string {
  return addressAt(answeringHost(shop, visited, baseUrl) || shop.hosts?.shop_domain, shop.id, baseUrl)
}

/** The same for what customers own, which may have a domain of its own. */
export function libraryAddress(shop: Answering, baseUrl: string, visited?: string): string {
  const own = shop.hosts?.access_domain
  return own ? addressAt(own, shop.id, baseUrl) : homeAddress(shop, baseUrl, visited)
}

type Given = Exclude<HostKind, 'sub_domain'>

export type DomainInput = { [Kind in Given]?: string | null | undefined }

const HOST_LENGTH_MAX = 253
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
const DIGITS = /^\d+$/

/** Labels that would be mistaken for the service itself. */
const RESERVED = new Set(
  [
    'account accounts admin api app apps assets auth autoconfig autodiscover billing cdn dns docs files ftp help',
    'imap isatap licet localhost login mail media mta-sts mx ns ns1 ns2 oauth oauth2 pay payment pop pop3 root secure',
    'security smtp ssl static status support system test webmail wpad www',
  ].flatMap((line) => line.split(' ')),
)

/** A name in the form of the domain name system; undefined if the text contains more than a name. */
function asciiName(text: string): string | undefined {
  // These characters separate the parts of a URL, and a URL parser would drop them silently.
  if (/[\s/\\?#@:%[\]]/.test(text) || !URL.canParse(`http://${text}`)) return undefined
  return new URL(`http://${text}`).hostname.replace(/\.$/, '')
}

/** The host name in a text, lower-case and in ASCII; undefined if it is not publicly reachable. */
export function readHostName(text: string): string | undefined {
  const host = asciiName(text)
  if (host === undefined || host.length > HOST_LENGTH_MAX) return undefined
  const labels = host.split('.')
  const top = labels.at(-1) ?? ''
  const isPublic = labels.length > 1 && !DIGITS.test(top) && top !== 'localhost'
  return isPublic && labels.every((label) => LABEL.test(label)) ? host : undefined
}

/** The label in a text; undefined if it is not valid. Labels of digits alone are assigned by the service. */
export function readLabel(text: string): string | undefined {
  const label = asciiName(text)
  return label !== undefined && LABEL.test(label) && !DIGITS.test(label) ? label : undefined
}

function isAtOrBelow(host: string, ownHost: string): boolean {
  return host === ownHost || host.endsWith(`.${ownHost}`)
}

function readKind(kind: Given, text: string, ownHost: string): { host: string } | { fault: Fault } {
  if (kind === 'vanity_domain') {
    const host = readLabel(text)
    if (host === undefined) return { fault: hostInvalid('must be letters, digits and hyphens, and not digits alone') }
    return RESERVED.has(host) ? { fault: hostReserved() } : { host }
  }
  const host = readHostName(text)
  if (host === undefined)
    return { fault: hostInvalid('must be a host name such as shop.example.com, and nothing else') }
  return isAtOrBelow(host, ownHost) ? { fault: hostOfService() } : { host }
}

/**
 * The hosts of a shop after an update. Existing hosts are not checked again, because clients send back what they read.
 */
export function changeHosts(before: Hosts, input: DomainInput, ownHost: string, report: FieldReport): Hosts {
  const after = { ...before }
  for (const kind of ['vanity_domain', 'shop_domain', 'access_domain'] as const) {
    const sent = input[kind] === undefined ? before[kind] : (input[kind] ?? '').trim()
    if (sent.toLowerCase() === before[kind]) continue
    const read = sent === '' ? { host: '' } : readKind(kind, sent, ownHost)
    if ('fault' in read) report.add(kind, read.fault)
    else after[kind] = read.host
  }
  if (after.shop_domain !== '' && after.shop_domain === after.access_domain)
    report.add(input.access_domain === undefined ? 'shop_domain' : 'access_domain', hostsEqual())
  return after
}

/** The key by which a shop is found for a requested host: a label, a host, or nothing. */
export function hostKey(asked: string, ownHost: string): string | undefined {
  const host = hostName(asked)
  if (!isAtOrBelow(host, ownHost)) return host.includes('.') ? host : undefined
  // Below the service's own host only labels count, even if a shop has such a host as its domain.
  const label = host.slice(0, -ownHost.length - 1)
  return label === '' || label.includes('.') ? undefined : label
}

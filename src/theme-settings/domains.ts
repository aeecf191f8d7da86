import { hostName, OWN_HOST } from '#platform/own-address.ts'
import type { Fault, FieldReport } from '#platform/problem.ts'
import { hostInvalid, hostOfService, hostReserved, hostsEqual } from './errors.ts'

/** The ways to a shop. The first two are labels below the service's own host, the others are hosts of their own. */
export const HOST_KINDS = ['sub_domain', 'vanity_domain', 'shop_domain', 'access_domain'] as const

export type HostKind = (typeof HOST_KINDS)[number]

/** The hosts of one shop; empty is none. */
export type Hosts = Record<HostKind, string>

/** The domain to send people to, with room for the service's own host: the one that its owner wants most. */
export function recommendedDomain({ shop_domain, vanity_domain, sub_domain }: Hosts): string {
  return shop_domain || `${vanity_domain || sub_domain}.${OWN_HOST}`
}

type Given = Exclude<HostKind, 'sub_domain'>

export type DomainInput = { [Kind in Given]?: string | null | undefined }

const HOST_LENGTH_MAX = 253
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
const DIGITS = /^\d+$/

/** Labels that people and machines take for the service itself. */
const RESERVED = new Set(
  [
    'account accounts admin api app apps assets auth autoconfig autodiscover billing cdn dns docs files ftp help',
    'imap isatap licet localhost login mail media mta-sts mx ns ns1 ns2 oauth oauth2 pay payment pop pop3 root secure',
    'security smtp ssl static status support system test webmail wpad www',
  ].flatMap((line) => line.split(' ')),
)

/** A name as the domain name system has it; undefined is a text with more than a name in it. */
function asciiName(text: string): string | undefined {
  // These part an address, and a parser of addresses would read them away.
  if (/[\s/\\?#@:%[\]]/.test(text) || !URL.canParse(`http://${text}`)) return undefined
  return new URL(`http://${text}`).hostname.replace(/\.$/, '')
}

/** The host name in a text, lower-case and in ASCII; undefined is none that others could reach. */
export function readHostName(text: string): string | undefined {
  const host = asciiName(text)
  if (host === undefined || host.length > HOST_LENGTH_MAX) return undefined
  const labels = host.split('.')
  const top = labels.at(-1) ?? ''
  const isPublic = labels.length > 1 && !DIGITS.test(top) && top !== 'localhost'
  return isPublic && labels.every((label) => LABEL.test(label)) ? host : undefined
}

/** The label in a text; undefined is none. Digits alone are the service's to give. */
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

/** The hosts of a shop after a body. What it has already is not judged again, because clients send back what they read. */
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

/** What a shop is found by when somebody asks for a host: a label, a host, or nothing. */
export function hostKey(asked: string, ownHost: string): string | undefined {
  const host = hostName(asked)
  if (!isAtOrBelow(host, ownHost)) return host.includes('.') ? host : undefined
  // Below the service's own host there are labels only, whatever somebody may have put down as a domain.
  const label = host.slice(0, -ownHost.length - 1)
  return label === '' || label.includes('.') ? undefined : label
}

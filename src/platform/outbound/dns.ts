import { Resolver } from 'node:dns/promises'
import { errorCode } from '../errors/error-code.ts'

/** Reads records of the domain name system. A name without records has none; no answer at all is another matter. */
export type Dns = {
  readTexts(name: string): Promise<string[] | 'unreachable'>
  readAliases(name: string): Promise<string[] | 'unreachable'>
}

const TIMEOUT_MS = 3000
const TRIES = 2

/** Codes that say that the name or the record does not exist. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA', 'NXDOMAIN', 'NOTFOUND'])

/** Asks the name servers of the machine, or others: `127.0.0.1:5353`. */
export function createDns(servers?: string[]): Dns {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers !== undefined) resolver.setServers(servers)
  const read = (records: Promise<string[]>) =>
    records.catch((error: unknown) => (ABSENT.has(errorCode(error) ?? '') ? [] : ('unreachable' as const)))
  return {
    // A long text is split into parts.
    readTexts: (name) => read(resolver.resolveTxt(name).then((records) => records.map((parts) => parts.join('')))),
    readAliases: (name) => read(resolver.resolveCname(name)),
  }
}

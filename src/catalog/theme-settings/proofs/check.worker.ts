import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Dns } from '#platform/outbound/dns.ts'
import { claimDueHosts, postponeCheck, settleDomain } from './commands.ts'
import { companyIn, type Lookup, proofRecord, themeSettingIn } from './rules.ts'

const AT_ONCE = 20

export type CheckOptions = { db: Db; dns: Dns; ownHost: string; now: () => Date }

/** Looks at the domains that are due. No transaction is open while the domain name system is asked. */
export async function checkDueDomains({ db, dns, ownHost, now }: CheckOptions): Promise<void> {
  const due = await inTransaction(db, (tx) => claimDueHosts(tx, AT_ONCE, now()))
  await Promise.all(
    due.map(async (host) => {
      const found = await lookUp(dns, host, ownHost)
      await inTransaction(db, (tx) =>
        found.kind === 'read' ? settleDomain(tx, host, found.claims, now()) : postponeCheck(tx, host, now()),
      )
    }),
  )
}

/** Reads who may use a domain: the TXT record beside it, and the CNAME of the domain itself. */
async function lookUp(dns: Dns, host: string, ownHost: string): Promise<Lookup> {
  const [texts, targets] = await Promise.all([dns.readTexts(proofRecord(0, host).name), dns.readAliases(host)])
  if (texts === 'unreachable' || targets === 'unreachable') return { kind: 'unreachable' }
  const numbers = (found: (number | undefined)[]) => found.filter((each) => each !== undefined)
  return {
    kind: 'read',
    claims: {
      companies: numbers(texts.map(companyIn)),
      themeSettings: numbers(targets.map((target) => themeSettingIn(target, ownHost))),
    },
  }
}

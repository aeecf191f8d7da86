import { settleDomain } from '#catalog/theme-settings/proofs/commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Service, Shop } from './harness.ts'

/** Records that DNS names the company for these domains, as the check of domains does. */
export async function proveDomains(service: Service, { companyId }: Shop, ...domains: string[]): Promise<void> {
  const claims = { companies: [companyId], themeSettings: [] }
  for (const domain of domains)
    await inTransaction(service.db, (tx) => settleDomain(tx, domain, claims, nowInSeconds(service.clock)))
}

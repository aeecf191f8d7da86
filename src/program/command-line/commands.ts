import type { Command } from 'commander'
import type { Terminal } from './program.ts'

type Add = (program: Command, terminal: Terminal) => void

/** The commands in the order of the help. `names` are those at the top that a part adds, or adds to. */
type Part = { names: readonly string[]; load: () => Promise<Add> }

/** Each part is a module of its own, which is loaded only if its command is called: all of them are most of the service. */
const PARTS: readonly Part[] = [
  { names: ['serve', 'worker'], load: async () => (await import('./serve.ts')).addServe },
  { names: ['migrate', 'company'], load: async () => (await import('./administration.ts')).addAdministration },
  { names: ['user'], load: async () => (await import('./company/users.ts')).addUsers },
  { names: ['app', 'token'], load: async () => (await import('./company/apps.ts')).addApps },
  { names: ['seed'], load: async () => (await import('./seed.ts')).addSeed },
  { names: ['import'], load: async () => (await import('./import.ts')).addImport },
  { names: ['backup', 'restore', 'drill', 'backup-key'], load: async () => (await import('./backups.ts')).addBackups },
  {
    names: ['openapi', 'doctor', 'rebuild', 'pictures'],
    load: async () => (await import('./inspection.ts')).addInspection,
  },
  { names: ['top'], load: async () => (await import('./top.ts')).addTop },
  { names: ['mails'], load: async () => (await import('./company/mails.ts')).addMails },
  { names: ['audit'], load: async () => (await import('./audit.ts')).addAudit },
  { names: ['secret'], load: async () => (await import('./secrets.ts')).addSecrets },
  { names: ['signing-keys'], load: async () => (await import('./company/signing-keys.ts')).addSigningKeys },
  { names: ['market'], load: async () => (await import('./company/market.ts')).addMarket },
  { names: ['ledger'], load: async () => (await import('./company/ledger.ts')).addLedger },
  { names: ['statistics'], load: async () => (await import('./company/statistics.ts')).addStatistics },
  { names: ['domains'], load: async () => (await import('./company/domains.ts')).addDomains },
  { names: ['company'], load: async () => (await import('./company/company-settings.ts')).addCompanySettings },
  { names: ['customer'], load: async () => (await import('./company/company-settings.ts')).addCustomers },
  { names: ['tax-rate'], load: async () => (await import('./company/tax-rates.ts')).addTaxRates },
  { names: ['discount'], load: async () => (await import('./company/discounts.ts')).addDiscounts },
  { names: ['codes'], load: async () => (await import('./company/codes.ts')).addCodes },
  { names: ['keys'], load: async () => (await import('./company/keys.ts')).addKeys },
  { names: ['reviews'], load: async () => (await import('./company/reviews.ts')).addReviews },
  { names: ['shipping'], load: async () => (await import('./company/shipping.ts')).addShipping },
  { names: ['group'], load: async () => (await import('./company/groups.ts')).addGroups },
  { names: ['plan'], load: async () => (await import('./company/plans.ts')).addPlans },
  { names: ['subscription'], load: async () => (await import('./company/subscriptions.ts')).addSubscriptions },
  { names: ['clock'], load: async () => (await import('./company/clock.ts')).addClock },
  { names: ['payments'], load: async () => (await import('./company/payments.ts')).addPayments },
  { names: ['content', 'explain'], load: async () => (await import('./company/content.ts')).addContent },
  { names: ['files'], load: async () => (await import('./company/content-files.ts')).addContentFiles },
  { names: ['webhooks'], load: async () => (await import('./company/webhooks.ts')).addWebhooks },
  { names: ['listen'], load: async () => (await import('./listen.ts')).addListen },
  { names: ['trigger'], load: async () => (await import('./trigger.ts')).addTrigger },
]

/** Adds a command, or all of them if there is none of that name, as for the help. */
export async function addCommands(program: Command, terminal: Terminal, name: string | undefined): Promise<void> {
  const named = PARTS.filter(({ names }) => name !== undefined && names.includes(name))
  // The version needs none of them.
  const parts = named.length > 0 ? named : name === '--version' || name === '-V' ? [] : PARTS
  for (const { load } of parts) (await load())(program, terminal)
}

import { proveRenewals } from '#test/crash/renewals.ts'
import { startDatabase } from './database.ts'
import { figure, holds, type Part } from './findings.ts'

/** Each kill has subscriptions of its own, so twenty say as much as two hundred. */
const KILLS_MAX = 20

/** Its short form is test/start/renewals.test.ts. */
export const renewals: Part = {
  title: 'Renewals while the worker is killed',
  about: `The worker is killed again and again, each time shortly after a server that speaks Mollie's API was asked for a charge. The
ledger of that server is compared with what is stored: one charge, one order, one invoice and one event for each period. A difference
ends the run.`,
  async prove({ isShort, rounds, onProgress }) {
    const kills = isShort ? 2 : Math.min(rounds, KILLS_MAX)
    const report = await proveRenewals({ ...(await startDatabase()), kills, random: Math.random, onProgress })
    return [
      figure('Kills of the worker', report.kills, ''),
      figure('Subscriptions renewed', report.renewed, ''),
      figure('Charges at the gateway', report.charges, ''),
      holds('Each period was charged once, with one order, one invoice and one event', true),
    ]
  },
}

import type { Command } from 'commander'
import { changeOffer, offerProducts, withdrawOffer } from '#catalog/marketplace/commands.ts'
import { findOfferOf, readOverview } from '#catalog/marketplace/queries.ts'
import type { OfferInput } from '#catalog/marketplace/schema.ts'
import { readCompanyTime } from '#identity/test-clocks/queries.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { withDatabase } from '#program/boot/store.ts'
import { companyId, getCompany } from '../administration.ts'
import { command, print, type Terminal, wholeNumber } from '../program.ts'
import { table } from '../terminal/table.ts'

type Json = { json?: boolean }
type Offered = Json & {
  company: number
  percent?: string
  themeSetting?: number
  category?: number[]
  all?: boolean
  onlyFor?: number[]
  forAll?: boolean
}

const id = wholeNumber(1, Number.MAX_SAFE_INTEGER)
const gather = (text: string, all: number[] = []) => [...all, id(text)]

/** The named values. The command that takes a number checks it. */
function inputOf({ percent, themeSetting, category, all, onlyFor, forAll }: Offered): OfferInput {
  return {
    ...(percent === undefined
      ? {}
      : { cost_to_licensees_percent: percent.trim() === '' ? Number.NaN : Number(percent) }),
    ...(themeSetting === undefined ? {} : { theme_setting_id: themeSetting }),
    ...(all === true ? { category_ids: null } : category === undefined ? {} : { category_ids: category }),
    ...(forAll === true ? { company_ids: null } : onlyFor === undefined ? {} : { company_ids: onlyFor }),
  }
}

export function addMarket(program: Command, terminal: Terminal): void {
  const market = program
    .command('market')
    .description('Offer products in the marketplace, and list what is offered.')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })

  command(market, 'offer', "Offer a company's products to others, or change what it offers.")
    .requiredOption('--company <id>', 'company that owns the products', companyId)
    .option('--percent <number>', 'percent of the original price that the company gets of a sale')
    .option('--theme-setting <id>', 'shop that the entry shows; the first one if absent', id)
    .option('--category <id...>', 'offer the products of these categories only', gather)
    .option('--all', 'offer the products of all categories again')
    .option('--only-for <company...>', 'offer them to these companies only', gather)
    .option('--for-all', 'offer them to every company again')
    .action(async (options: Offered) => {
      const market_id = await withDatabase(terminal.config(), async (db) => {
        await getCompany(db, options.company)
        return inTransaction(db, async (tx) => {
          const offer = (await findOfferOf(tx, options.company)) === undefined ? offerProducts : changeOffer
          const now = await readCompanyTime(tx, options.company)
          return (await offer(tx, { companyId: options.company }, inputOf(options), now)).state.id
        })
      })
      print(terminal, options.json, { market_id }, `The entry ${market_id} is in the marketplace.`)
    })

  command(market, 'withdraw', 'Take a company out of the marketplace. What others sold stays sold.')
    .requiredOption('--company <id>', 'company that owns the products', companyId)
    .action(async (options: Json & { company: number }) => {
      await withDatabase(terminal.config(), (db) =>
        inTransaction(db, async (tx) =>
          withdrawOffer(tx, { companyId: options.company }, await readCompanyTime(tx, options.company)),
        ),
      )
      print(terminal, options.json, { withdrawn: true }, 'The entry is withdrawn.')
    })

  command(
    market,
    'list',
    'List the entries, how many products are mirrored, and how many changes are still to be copied.',
  ).action(async (options: Json) => {
    const entries = await withDatabase(terminal.config(), readOverview)
    const text = table(entries, 'The marketplace is empty.', {
      Id: ({ market_id }) => market_id,
      Company: ({ company_id }) => company_id,
      Name: ({ company_name }) => company_name,
      Products: ({ product_count }) => product_count,
      Percent: ({ cost_to_licensees_percent }) => cost_to_licensees_percent,
      Mirrored: ({ mirrors }) => mirrors,
      'To copy': ({ waiting }) => waiting,
    })
    print(terminal, options.json, { marketplace: entries }, text)
  })
}

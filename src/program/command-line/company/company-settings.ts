import { type Command, InvalidArgumentError } from 'commander'
import type { OperatorSettings } from '#identity/companies/schema.ts'
import { updateSettings } from '#identity/companies/settings.commands.ts'
import { readCompanyTime } from '#identity/test-clocks/queries.ts'
import { setCustomerState } from '#people/customers/disable.commands.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { COMMAND_LINE } from '#platform/identity/origin.ts'
import { StartError } from '#program/boot/start-error.ts'
import { withDatabase } from '#program/boot/store.ts'
import { companyId, getCompany } from '../administration.ts'
import { command, plain, print, type Terminal, wholeNumber } from '../program.ts'

function yesOrNo(text: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new InvalidArgumentError('It must be yes or no.')
  return text === 'yes'
}

type Changes = { country?: string; taxOptions?: number; shopActive?: boolean; disabled?: boolean; json?: boolean }

function settingsOf({ country, taxOptions, shopActive, disabled }: Changes): OperatorSettings {
  return {
    ...(country === undefined ? {} : { country }),
    ...(taxOptions === undefined ? {} : { tax_options: taxOptions }),
    ...(shopActive === undefined ? {} : { shop_active: shopActive }),
    ...(disabled === undefined ? {} : { company_disabled: disabled }),
  }
}

/** Adds `company change` to the commands for companies. */
export function addCompanySettings(program: Command, terminal: Terminal): void {
  const company = program.commands.find((each) => each.name() === 'company')
  if (company === undefined) throw new Error('the commands for companies are added first')
  command(company, 'change', 'Change settings of a company that the API only reads.')
    .argument('<id>', 'id of the company', companyId)
    .option('--country <name>', 'code or English name of its country, which decides about taxes')
    .option('--tax-options <number>', '0 or 1: sells to consumers; 2: to businesses', wholeNumber(0, 2))
    .option('--shop-active <yes|no>', 'no: the pages of its shops show their offline message', yesOrNo)
    .option('--disabled <yes|no>', 'yes: the company sells nothing and has no shop', yesOrNo)
    .action(async (id: number, options: Changes) => {
      const input = settingsOf(options)
      if (Object.keys(input).length === 0) throw new StartError('Name a setting to change; --help lists them.', 2)
      const { state } = await withDatabase(terminal.config(), async (db) => {
        await getCompany(db, id)
        const author = { companyId: id, origin: COMMAND_LINE }
        const now = await readCompanyTime(db, id)
        return inTransaction(db, (tx) => updateSettings(tx, author, input, now))
      })
      const { country_code, tax_options, shop_active, company_disabled } = state
      const settings = { company_id: id, country: country_code, tax_options, shop_active, company_disabled }
      const words = `country ${country_code}, tax options ${tax_options}, shop ${shop_active ? 'active' : 'not active'}`
      print(terminal, options.json, settings, `Company ${id}: ${words}${company_disabled ? ', disabled' : ''}.`)
    })
}

/** Adds the commands for customers. */
export function addCustomers(program: Command, terminal: Terminal): void {
  const customer = program
    .command('customer')
    .description('Customers.')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  const effects = { enabled: 'can sign in and order again', disabled: 'cannot sign in or order any more' } as const
  for (const [name, state] of [
    ['enable', 'enabled'],
    ['disable', 'disabled'],
  ] as const)
    command(customer, name, `Make a customer ${state}: the customer ${effects[state]}, in any company.`)
      .argument('<token>', 'token or id of the customer')
      .requiredOption('--company <id>', 'company that knows the customer', companyId)
      .action(async (token: string, { company, json }: { company: number; json?: boolean }) => {
        const written = await withDatabase(terminal.config(), async (db) => {
          await getCompany(db, company)
          const author = { companyId: company, origin: COMMAND_LINE, isOperator: true }
          const now = await readCompanyTime(db, company)
          return inTransaction(db, (tx) => setCustomerState(tx, author, token, state, now))
        })
        const { account } = written.state
        print(
          terminal,
          json,
          { token: account.token, state: account.state },
          plain(`${account.email} ${effects[state]}.`),
        )
      })
}

import { type Command, Option } from 'commander'
import { findCountry } from '#identity/addresses/countries.facts.ts'
import { RATED_CLASSES, type RatedClass } from '#identity/addresses/tax-classes.facts.ts'
import { StartError } from '#program/boot/start-error.ts'
import { createTaxRate, deleteTaxRate, updateTaxRate } from '#selling/tax-rates/commands.ts'
import { presentTaxRate } from '#selling/tax-rates/present.ts'
import { findTaxRateFor, listTaxRates } from '#selling/tax-rates/queries.ts'
import type { TaxRate } from '#selling/tax-rates/schema.ts'
import { plain, print, type Terminal } from '../program.ts'
import { table } from '../terminal/table.ts'
import { all, change, decimal, group, type Options, ofCompany, read } from './terms.ts'

const taxInWords = ({ country_name, country_code, tax_class, percent, name }: TaxRate) =>
  `${country_name} (${country_code})${tax_class === 'standard' ? '' : `, ${tax_class}`}: ${percent} % ${name}`

const classOption = () =>
  new Option('--class <name>', 'tax class of the products that it is for').choices(RATED_CLASSES).default('standard')

export function addTaxRates(program: Command, terminal: Terminal): void {
  const rates = group(program, 'tax-rate', 'Rates of value added tax that companies set themselves.')

  ofCompany(rates, 'set', 'Set the rate of a country. It replaces the built-in one.')
    .requiredOption('--country <name>', 'code or English name of the country')
    .requiredOption('--percent <number>', 'percent, with three decimals at most', decimal)
    .addOption(classOption())
    .option('--name <text>', 'what the tax is called, such as VAT')
    .action(async (options: Options & { country: string; class: RatedClass; percent: number; name?: string }) => {
      const { company, json, country, class: tax_class, percent, name } = options
      const input = { country_code: country, tax_class, percent, ...(name === undefined ? {} : { name }) }
      const { state } = await change(terminal, company, async (tx, author, now) => {
        const known = await findTaxRateFor(tx, company, findCountry(country)?.code ?? '', tax_class)
        return known === undefined
          ? createTaxRate(tx, author, input, now)
          : updateTaxRate(tx, author, String(known.id), input, now)
      })
      const tax_rate = presentTaxRate(state)
      print(terminal, json, { tax_rate }, plain(`${taxInWords(tax_rate)}.`))
    })

  ofCompany(rates, 'list', 'List the rates that a company has set.').action(async ({ company, json }: Options) => {
    const rows = await read(terminal, company, (db) => all(listTaxRates(db, company)))
    const tax_rates = rows.map(presentTaxRate)
    const text = table(tax_rates, 'The company has set no tax rates.', {
      Code: ({ country_code }) => country_code,
      Country: ({ country_name }) => country_name,
      Class: ({ tax_class }) => tax_class,
      Percent: ({ percent }) => percent,
      Name: ({ name }) => name,
    })
    print(terminal, json, { tax_rates }, text)
  })

  ofCompany(rates, 'remove', 'Remove the rate of a country: the built-in one applies again.')
    .requiredOption('--country <name>', 'code or English name of the country')
    .addOption(classOption())
    .action(async ({ company, json, country, class: taxClass }: Options & { country: string; class: RatedClass }) => {
      await change(terminal, company, async (tx, author, now) => {
        const known = await findTaxRateFor(tx, company, findCountry(country)?.code ?? '', taxClass)
        if (known === undefined) throw new StartError(`The company has set no tax rate for ${plain(country)}.`, 2)
        await deleteTaxRate(tx, author, String(known.id), now)
      })
      print(terminal, json, { removed: true }, 'The built-in rate of the country applies again.')
    })
}

import { readFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { readCompanyTime } from '#identity/test-clocks/queries.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { COMMAND_LINE } from '#platform/identity/origin.ts'
import type { Config } from '#platform/settings/config.ts'
import { StartError } from '#program/boot/start-error.ts'
import { withDatabase } from '#program/boot/store.ts'
import type { OptionFacts } from '#selling/payments/gateways/gateway.ts'
import { ALL_GATEWAYS } from '#selling/payments/gateways/table.facts.ts'
import type { PaymentSettings, PaymentSettingsInput } from '#selling/payments/schema.ts'
import { readSettings, updatePaymentSettings } from '#selling/payments/settings.commands.ts'
import { getCompany } from '../administration.ts'
import { plain, print, type Terminal } from '../program.ts'
import { group, type Options, ofCompany } from './terms.ts'

function onOrOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('It must be on or off.')
  return text === 'on'
}

const upTo = (max: number, unit: string) => (text: string) => {
  if (!/^\d{1,4}$/.test(text) || Number(text) > max)
    throw new InvalidArgumentError(`It must be a number of ${unit} from 0 to ${max}.`)
  return Number(text)
}

/** The values by the name of their option, as commander names it. */
type Changes = Options & Record<string, string | number | boolean | undefined>

const nameOf = (flag: string) => flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Secrets are read from files, because other users of the machine can see the arguments of a command. */
async function secretIn(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new StartError(`${plain(path)} cannot be read.`, 2)
  })
  return text.trim()
}

async function valueIn(changes: Changes, { flag, reads }: OptionFacts) {
  const value = changes[nameOf(flag)]
  return reads === 'file' && typeof value === 'string' ? secretIn(value) : value
}

/** The settings that the options name, by gateway. The schemas of the gateways say the same of them as their options. */
async function settingsOf(changes: Changes): Promise<PaymentSettingsInput> {
  const named: [string, object][] = []
  for (const { key, kind } of ALL_GATEWAYS) {
    const fields: [string, unknown][] = [['enabled', changes[key]]]
    for (const option of kind.options) fields.push([option.field, await valueIn(changes, option)])
    const given = fields.filter(([, value]) => value !== undefined)
    if (given.length > 0) named.push([key, Object.fromEntries(given)])
  }
  return Object.fromEntries(named)
}

function inWords(settings: PaymentSettings): string {
  return ALL_GATEWAYS.flatMap(({ key, kind }) => kind.inWords(settings[key])).join('\n')
}

const addressOf = ({ baseUrl, host, port }: Config) => baseUrl ?? `http://${host}:${port}`

function addOption(command: Command, { flag, about, reads }: OptionFacts): void {
  if (reads === 'file') command.option(`--${flag} <path>`, about)
  else if (reads === 'text') command.option(`--${flag} <text>`, about)
  else command.option(`--${flag} <${reads.unit}>`, about, upTo(reads.max, reads.unit))
}

/** Adds the commands for the ways to pay. */
export function addPayments(program: Command, terminal: Terminal): void {
  const payments = group(program, 'payments', 'Ways to pay that the shops of a company offer.')

  const set = ofCompany(payments, 'set', 'Change how customers can pay. Settings that you leave out stay as they are.')
  for (const { key, kind } of ALL_GATEWAYS) {
    set.option(`--${key} <on|off>`, kind.about, onOrOff)
    for (const option of kind.options) addOption(set, option)
  }
  set.action(async (options: Changes) => {
    const input = await settingsOf(options)
    if (Object.keys(input).length === 0) throw new StartError('Name a setting to change; --help lists them.', 2)
    const config = terminal.config()
    const { company, json } = options
    const settings = await withDatabase(config, async (db, vault) => {
      await getCompany(db, company)
      const author = { companyId: company, origin: COMMAND_LINE }
      const now = await readCompanyTime(db, company)
      await inTransaction(db, (tx) => updatePaymentSettings(tx, vault, author, input, now))
      return readSettings(db, vault, company, addressOf(config))
    })
    print(terminal, json, { payment_settings: settings }, inWords(settings))
  })

  ofCompany(payments, 'show', 'Show how customers can pay.').action(async ({ company, json }: Options) => {
    const config = terminal.config()
    const settings = await withDatabase(config, async (db, vault) => {
      await getCompany(db, company)
      return readSettings(db, vault, company, addressOf(config))
    })
    print(terminal, json, { payment_settings: settings }, inWords(settings))
  })
}

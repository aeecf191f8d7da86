import { readFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { nowInSeconds, systemClock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { COMMAND_LINE } from '#platform/identity/origin.ts'
import type { Config } from '#platform/settings/config.ts'
import { StartError } from '#program/boot/start-error.ts'
import { withDatabase } from '#program/boot/store.ts'
import type { PaymentSettings, PaymentSettingsInput } from '#selling/payments/schema.ts'
import { readSettings, updatePaymentSettings } from '#selling/payments/settings.commands.ts'
import { getCompany } from '../administration.ts'
import { plain, print, type Terminal } from '../program.ts'
import { group, type Options, ofCompany } from './terms.ts'

function onOrOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('It must be on or off.')
  return text === 'on'
}

const DAYS_MAX = 365

const upTo = (max: number, unit: string) => (text: string) => {
  if (!/^\d{1,4}$/.test(text) || Number(text) > max)
    throw new InvalidArgumentError(`It must be a number of ${unit} from 0 to ${max}.`)
  return Number(text)
}

const days = upTo(DAYS_MAX, 'days')
const hours = upTo(24 * DAYS_MAX, 'hours')

type Changes = Options & {
  manual?: boolean
  instructions?: string
  paymentDueDays?: number
  guestBillHours?: number
  test?: boolean
  stripe?: boolean
  stripeKeyFile?: string
  stripeWebhookSecretFile?: string
}

/** Secrets are read from files, because other users of the machine can see the arguments of a command. */
async function secretIn(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new StartError(`${plain(path)} cannot be read.`, 2)
  })
  return text.trim()
}

async function settingsOf(changes: Changes): Promise<PaymentSettingsInput> {
  const { manual, instructions, paymentDueDays, guestBillHours, test, stripe, stripeKeyFile, stripeWebhookSecretFile } =
    changes
  const given = <Value>(name: string, value: Value | undefined) => (value === undefined ? {} : { [name]: value })
  const bill = {
    ...given('enabled', manual),
    ...given('instructions', instructions),
    ...given('payment_due_days', paymentDueDays),
    ...given('guest_bill_hours', guestBillHours),
  }
  const keys = {
    ...given('enabled', stripe),
    ...given('secret_key', stripeKeyFile && (await secretIn(stripeKeyFile))),
    ...given('webhook_secret', stripeWebhookSecretFile && (await secretIn(stripeWebhookSecretFile))),
  }
  return {
    ...(Object.keys(bill).length > 0 ? { manual: bill } : {}),
    ...(test === undefined ? {} : { test: { enabled: test } }),
    ...(Object.keys(keys).length > 0 ? { stripe: keys } : {}),
  }
}

function inWords({ manual, test, stripe }: PaymentSettings): string {
  const word = (isOn: boolean) => (isOn ? 'on' : 'off')
  const key = stripe.secret_key_hint === '' ? 'no key' : `key …${stripe.secret_key_hint}`
  const { payment_due_days: last, guest_bill_hours: short } = manual
  const others = last === 0 ? 'unpaid bills stay open' : `unpaid bills are cancelled after ${last} days`
  const due = short === 0 ? others : `${others}, those of guests after ${short} hours`
  const details = stripe.test_mode ? `${key}, test mode` : key
  return [
    `Manual: ${word(manual.enabled)}${manual.enabled ? ` (${due})` : ''}`,
    `Test: ${word(test.enabled)}`,
    `Stripe: ${word(stripe.enabled)} (${details})`,
    `Webhook for Stripe: ${stripe.webhook_url}${stripe.has_webhook_secret ? '' : ' (signing secret missing)'}`,
  ].join('\n')
}

const addressOf = ({ baseUrl, host, port }: Config) => baseUrl ?? `http://${host}:${port}`

/** Adds the commands for the ways to pay. */
export function addPayments(program: Command, terminal: Terminal): void {
  const payments = group(program, 'payments', 'Ways to pay that the shops of a company offer.')

  ofCompany(payments, 'set', 'Change how customers can pay. Settings that you leave out stay as they are.')
    .option('--manual <on|off>', 'customers get a bill, and you mark orders as paid', onOrOff)
    .option('--instructions <text>', 'how customers pay a bill, such as a bank account')
    .option('--payment-due-days <days>', 'cancel bills that nobody has paid after as many days; 0: never', days)
    .option('--guest-bill-hours <hours>', 'the same in hours for customers who have not signed in; 0: no sooner', hours)
    .option('--test <on|off>', 'test cards that move no money', onOrOff)
    .option('--stripe <on|off>', 'cards and other ways of Stripe', onOrOff)
    .option('--stripe-key-file <path>', 'file with the secret key')
    .option('--stripe-webhook-secret-file <path>', 'file with the signing secret of the webhook')
    .action(async (options: Changes) => {
      const input = await settingsOf(options)
      if (Object.keys(input).length === 0) throw new StartError('Name a setting to change; --help lists them.', 2)
      const config = terminal.config()
      const { company, json } = options
      const settings = await withDatabase(config, async (db, vault) => {
        await getCompany(db, company)
        const author = { companyId: company, origin: COMMAND_LINE }
        await inTransaction(db, (tx) => updatePaymentSettings(tx, vault, author, input, nowInSeconds(systemClock)))
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

import type { Command } from 'commander'
import { StartError } from '#program/boot/start-error.ts'
import { createDiscountCode, deleteDiscountCode } from '#selling/discount-codes/commands.ts'
import { presentDiscountCode } from '#selling/discount-codes/present.ts'
import { findDiscountCode, listDiscountCodes } from '#selling/discount-codes/queries.ts'
import type { DiscountCode, DiscountCodeInput } from '#selling/discount-codes/schema.ts'
import { plain, print, type Terminal, wholeNumber } from '../program.ts'
import { table } from '../terminal/table.ts'
import { all, change, decimal, group, type Options, ofCompany, read } from './terms.ts'

const count = wholeNumber(1, 2_147_483_647)

function discountInWords({ code, type, amount, usage_count, usage_limit, starts_at, ends_at }: DiscountCode): string {
  const off = type === 'percentage' ? `${amount} %` : `${amount} cents`
  const uses = `used ${usage_count}${usage_limit === null ? '' : ` of ${usage_limit}`} times`
  const from = starts_at === null ? '' : `, from ${starts_at}`
  return `${code}: ${off}, ${uses}${from}${ends_at === null ? '' : `, until ${ends_at}`}`
}

type NewDiscount = Options & {
  code: string
  percent?: number
  cents?: number
  startsAt?: string
  endsAt?: string
  usageLimit?: number
}

/** A code takes off either percent or cents. */
function discountInput({ code, percent, cents, startsAt, endsAt, usageLimit }: NewDiscount): DiscountCodeInput {
  if ((percent === undefined) === (cents === undefined)) throw new StartError('Name --percent or --cents.', 2)
  return {
    code,
    ...(percent === undefined ? { type: 'fixed_amount', amount: cents ?? 0 } : { type: 'percentage', amount: percent }),
    starts_at: startsAt ?? null,
    ends_at: endsAt ?? null,
    usage_limit: usageLimit ?? null,
  }
}

export function addDiscounts(program: Command, terminal: Terminal): void {
  const discounts = group(program, 'discount', 'Discount codes.')

  ofCompany(discounts, 'create', 'Create a discount code.')
    .requiredOption('--code <text>', 'what customers enter, in upper or lower case')
    .option('--percent <number>', 'percent that it takes off', decimal)
    .option('--cents <number>', 'cents that it takes off, in the currency of the company', decimal)
    .option('--starts-at <time>', 'valid from this time on, such as 2031-01-01')
    .option('--ends-at <time>', 'no longer valid at this time')
    .option('--usage-limit <number>', 'valid for so many orders', count)
    .action(async (options: NewDiscount) => {
      const input = discountInput(options)
      const { state } = await change(terminal, options.company, (tx, author, now) =>
        createDiscountCode(tx, author, input, now),
      )
      const discount_code = presentDiscountCode(state)
      print(terminal, options.json, { discount_code }, plain(`${discountInWords(discount_code)}.`))
    })

  ofCompany(discounts, 'list', 'List the discount codes of a company.').action(async ({ company, json }: Options) => {
    const rows = await read(terminal, company, (db) => all(listDiscountCodes(db, company)))
    const discount_codes = rows.map(presentDiscountCode)
    const text = table(discount_codes, 'The company has no discount codes.', {
      Code: ({ code }) => code,
      Off: ({ type, amount }) => (type === 'percentage' ? `${amount} %` : `${amount} cents`),
      Used: ({ usage_count }) => usage_count,
      Limit: ({ usage_limit }) => usage_limit ?? '',
      From: ({ starts_at }) => starts_at ?? '',
      Until: ({ ends_at }) => ends_at ?? '',
    })
    print(terminal, json, { discount_codes }, text)
  })

  ofCompany(discounts, 'end', 'Delete a discount code. Orders that used it keep what it took off.')
    .argument('<code>', 'the code, in upper or lower case')
    .action(async (code: string, { company, json }: Options) => {
      await change(terminal, company, async (tx, author, now) => {
        const found = await findDiscountCode(tx, company, code)
        if (found === undefined) throw new StartError(`There is no discount code ${plain(code)}.`, 2)
        await deleteDiscountCode(tx, author, String(found.id), now)
      })
      print(terminal, json, { ended: true }, 'The discount code is deleted.')
    })
}

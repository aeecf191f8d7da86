import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { readCompanyTime } from '#identity/test-clocks/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { StartError } from '#program/boot/start-error.ts'
import { createRedemptionCodes, revokeRedemptionCode } from '#rights/redemption-codes/commands.ts'
import { csvTextOf } from '#rights/redemption-codes/csv.present.ts'
import { presentRedemptionCode } from '#rights/redemption-codes/present.ts'
import { listRedemptionCodes } from '#rights/redemption-codes/queries.ts'
import { readCode } from '#rights/redemption-codes/rules.ts'
import { COUNT_MAX, type RedemptionCode } from '#rights/redemption-codes/schema.ts'
import { plain, print, type Terminal, wholeNumber } from '../program.ts'
import { table } from '../terminal/table.ts'
import { all, change, group, type Options, ofCompany, read } from './terms.ts'

const id = wholeNumber(1, Number.MAX_SAFE_INTEGER)

type NewCodes = Options & {
  product: string
  license?: number
  uses?: number
  count?: number
  expiresAt?: string
  note?: string
}

async function readAll(db: Db, company: number, product?: string): Promise<RedemptionCode[]> {
  const rows = await all(listRedemptionCodes(db, company, { product_id: product?.toUpperCase() }))
  const now = await readCompanyTime(db, company)
  return rows.map((row) => presentRedemptionCode(row, now))
}

export function addCodes(program: Command, terminal: Terminal): void {
  const codes = group(program, 'codes', 'Redemption codes.')

  ofCompany(codes, 'create', 'Make redemption codes for a product.')
    .requiredOption('--product <id>', 'product that the codes give, by product_id or id')
    .option('--license <id>', 'license, if the product is sold under several', id)
    .option('--count <number>', 'how many codes', wholeNumber(1, COUNT_MAX))
    .option('--uses <number>', 'how often each code can be redeemed', wholeNumber(1, 1_000_000))
    .option('--expires-at <time>', 'until when they can be redeemed, such as 2031-01-01')
    .option('--note <text>', 'note about the codes')
    .action(async ({ company, json, product, license, count, uses, expiresAt, note }: NewCodes) => {
      const input = {
        product_id: product,
        ...(license === undefined ? {} : { license_id: license }),
        ...(count === undefined ? {} : { count }),
        ...(uses === undefined ? {} : { uses }),
        ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
        ...(note === undefined ? {} : { note }),
      }
      const { state } = await change(terminal, company, (tx, author, time) =>
        createRedemptionCodes(tx, author, input, time),
      )
      const made = state.map(({ code }) => code)
      print(terminal, json, { codes: made }, made.join('\n'))
    })

  ofCompany(codes, 'list', 'List the redemption codes of a company.')
    .option('--product <id>', 'only codes for this product')
    .action(async ({ company, json, product }: Options & { product?: string }) => {
      const redemption_codes = await read(terminal, company, (db) => readAll(db, company, product))
      const text = table(redemption_codes, 'The company has no redemption codes.', {
        Code: ({ code }) => code,
        Product: ({ title }) => plain(title),
        Used: ({ used, uses }) => `${used} of ${uses}`,
        State: ({ state }) => state,
        Until: ({ expires_at }) => expires_at ?? '',
        Note: ({ note }) => plain(note),
      })
      print(terminal, json, { redemption_codes }, text)
    })

  ofCompany(codes, 'export', 'Write the redemption codes of a company to a CSV file.')
    .argument('<file>', 'file to write')
    .option('--product <id>', 'only codes for this product')
    .action(async (file: string, { company, json, product }: Options & { product?: string }) => {
      const found = await read(terminal, company, (db) => readAll(db, company, product))
      await writeFile(file, csvTextOf(found), { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
        throw new StartError(
          error.code === 'EEXIST' ? `${plain(file)} exists already.` : `${plain(file)} cannot be written.`,
        )
      })
      print(terminal, json, { exported: found.length }, `${found.length} codes are written to ${plain(file)}.`)
    })

  ofCompany(codes, 'revoke', 'Revoke a redemption code. What was redeemed stays with its customers.')
    .argument('<code>', 'the code, with or without hyphens')
    .action(async (typed: string, { company, json }: Options) => {
      await change(terminal, company, async (tx, author, time) => {
        const code = readCode(typed)
        const [found] = code === undefined ? [] : await all(listRedemptionCodes(tx, company, { code }))
        if (found === undefined) throw new StartError(`There is no redemption code ${plain(typed)}.`, 2)
        await revokeRedemptionCode(tx, author, String(found.id), time)
      })
      print(terminal, json, { revoked: true }, 'The code is revoked.')
    })
}

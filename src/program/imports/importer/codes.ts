import { type Static, Type } from 'typebox'
import { productUnknown } from '#catalog/products/errors.ts'
import { readForSale } from '#catalog/products/sale/queries.ts'
import { FieldReport, validationFailed } from '#platform/errors/problem.ts'
import { Text, TimeInput } from '#platform/wire/schema.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { readTime } from '#platform/wire/times.ts'
import { ownCodeTaken } from '#rights/redemption-codes/errors.ts'
import { addOwnCode, givenByPrinted, lockOwnCodes } from '#rights/redemption-codes/own.commands.ts'
import { findCodesTyped } from '#rights/redemption-codes/own.queries.ts'
import { isNextAfter, readOwnCode } from '#rights/redemption-codes/own.rules.ts'
import { assertAhead } from '#rights/redemption-codes/rules.ts'
import { CODE_MAX, NOTE_MAX, USES_MAX } from '#rights/redemption-codes/schema.ts'
import type { Given } from '#rights/redemption-codes/state.ts'
import { createCheck } from './check.ts'
import type { Context, Importer } from './context.ts'
import { findNamedLicense, findNamedProduct } from './named.ts'

const whole = (minimum: number, maximum: number) => Type.Optional(Type.Integer({ minimum, maximum }))
const INTEGER_MAX = 2_147_483_647

const CodeInput = Type.Object({
  code: Text(CODE_MAX, 'The code as it is printed.'),
  product: Type.Optional(Text(1000, 'The title of the product, or its product_id.')),
  product_id: Type.Optional(Text(50, 'The product.')),
  license: Type.Optional(Text(1000, 'The name or id of the license; that of the first offer without it.')),
  uses: whole(1, USES_MAX),
  expires_at: Type.Optional(TimeInput('Until when it can be redeemed.')),
  note: Type.Optional(Text(NOTE_MAX, 'What the company notes about it.')),
  hd: Type.Optional(Type.Boolean()),
  audio_type: whole(0, INTEGER_MAX),
  num_users: whole(0, INTEGER_MAX),
})

type CodeInput = Static<typeof CodeInput>
type Printed = {
  code: string
  typed: string
  /** Does the line name a license? Without one, a code that is there may have any. */
  namesLicense: boolean
  given: Given
  uses: number
  expires_at: Date | null
  note: string
}

const checkCode = createCheck(CodeInput)

/** Whoever holds one of these codes can try the numbers beside it. */
const IN_A_ROW = {
  field: 'code',
  reason: 'own_codes_in_a_row',
  message: 'These codes are numbers that follow each other: whoever has one can guess others.',
}

function readTexts(value: unknown): CodeInput {
  const input = checkCode(value)
  const report = new FieldReport()
  reportUnstorable(input, report)
  report.throwIfAny()
  return input
}

/** What a line gives, looked up once for all lines that say the same. */
async function readGiven(context: Context, { product, product_id, license, ...input }: CodeInput): Promise<Given> {
  const { tx, companyId, now, found } = context
  const { hd, audio_type, num_users } = input
  const names = JSON.stringify([product_id, product, license, hd, audio_type, num_users])
  const known = found.given.get(names)
  if (known !== undefined) return known
  const key = await findNamedProduct(context, {
    product_id: product_id ?? product ?? '',
    ...(product === undefined ? {} : { product }),
  })
  const ref = String(key)
  const forSale = key === undefined ? undefined : (await readForSale(tx, companyId, [ref], now)).get(ref)
  if (forSale === undefined) throw validationFailed('product', productUnknown('the shop'))
  const wanted = {
    license_id: await findNamedLicense(context, license),
    ...(hd === undefined ? {} : { hd }),
    ...(audio_type === undefined ? {} : { audio_type }),
    ...(num_users === undefined ? {} : { num_users }),
  }
  const given = givenByPrinted(forSale, wanted, companyId, now)
  found.given.set(names, given)
  return given
}

/** Codes that were printed elsewhere. A code that is there already stays as it is. */
export const redemptionCodes: Importer<Printed> = {
  atOnce: 100,
  isUnique: true,
  keyField: 'code',
  begin: ({ tx, companyId }) => lockOwnCodes(tx, companyId),
  async read(context, { value, where }) {
    const input = readTexts(value)
    const { code, typed } = readOwnCode(input.code)
    const expires_at = readTime(input.expires_at) ?? null
    assertAhead({ expires_at }, context.now)
    const given = await readGiven(context, input)
    const { lastCode = '' } = context.found
    if (isNextAfter(lastCode, typed)) context.warnings.push({ where, ...IN_A_ROW })
    context.found.lastCode = typed
    const { uses = 1, note = '' } = input
    return { code, typed, namesLicense: input.license !== undefined, given, uses, expires_at, note }
  },
  keyOf: ({ typed }) => typed,
  async find({ tx, companyId, found }, entries) {
    const typed = entries.map(({ input }) => input.typed)
    const known = typed.length === 0 ? new Map() : await findCodesTyped(tx, companyId, typed)
    found.codes = new Map([...known.values()].map((code) => [code.id, code]))
    return typed.map((form) => known.get(form))
  },
  async create({ tx, companyId, now, recorder }, { input, entry }) {
    const { code, given, uses, expires_at, note } = input
    const id = await addOwnCode(tx, companyId, { code, given, uses_max: uses, expires_at, note }, now)
    recorder?.note({ kind: 'redemption_codes', id, name: code, where: entry.where })
    return id
  },
  /** Somebody may have redeemed it, so it must not become a code for something else. */
  async change({ found }, id, { input: { given, namesLicense } }) {
    const code = found.codes.get(id)
    const isSame = code?.product_key === given.product_key && (!namesLicense || code.license_id === given.license_id)
    if (!isSame) throw validationFailed('code', ownCodeTaken())
    return false
  },
}

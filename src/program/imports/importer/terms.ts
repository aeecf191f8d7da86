import { isDeepStrictEqual } from 'node:util'
import { changeLicense } from '#catalog/licenses/changes.rules.ts'
import { createLicense, updateLicense } from '#catalog/licenses/commands.ts'
import { presentLicense } from '#catalog/licenses/present.ts'
import { lockLicense, readLicenses } from '#catalog/licenses/queries.ts'
import { GENERAL } from '#catalog/licenses/rules.ts'
import { LicenseInput } from '#catalog/licenses/schema.ts'
import { createPrice, updatePrice } from '#catalog/prices/commands.ts'
import { presentPrice } from '#catalog/prices/present.ts'
import { lockPrice, readPrices } from '#catalog/prices/queries.ts'
import { changePrice } from '#catalog/prices/rules.ts'
import { PriceInput } from '#catalog/prices/schema.ts'
import { createCheck } from './check.ts'
import { type Checked, type Found, type Importer, NotImported } from './context.ts'
import { withKnownIds } from './known-ids.ts'

const checkLicense = createCheck(LicenseInput)
const checkPrice = createCheck(PriceInput)

/** Ids for parts that are only compared. */
const noId = () => 0

/** Licenses and prices are never deleted, but taken out of use: one that the file does not want back counts as gone. */
function isThere(term: { valid: number } | undefined, { valid }: { valid?: number }): boolean {
  return term !== undefined && (term.valid === 1 || valid !== undefined)
}

/**
 * What was imported under the key; otherwise the thing with the id in the file, if its name is the same: then the file
 * was exported from this company.
 */
async function findTerms<Input extends { valid?: number }, Term extends { id: number; valid: number }>(
  entries: readonly (Checked<Input> & { imported: number | undefined })[],
  read: (ids: number[]) => Promise<Term[]>,
  isSame: (term: Term, input: Input) => boolean,
): Promise<Found[]> {
  const ids = entries.flatMap(({ imported, fileId }) => [imported ?? [], fileId ?? []].flat())
  const terms = new Map((await read(ids)).map((term) => [term.id, term]))
  return entries.map(({ imported, fileId, input }) => {
    const known = terms.get(imported ?? 0)
    if (known !== undefined && isThere(known, input)) return known
    const exported = terms.get(fileId ?? 0)
    return exported !== undefined && isThere(exported, input) && isSame(exported, input) ? exported : undefined
  })
}

export const licenses: Importer<LicenseInput> = {
  atOnce: 1,
  isUnique: false,
  async read({ tx }, { value }) {
    const { id, assignment, name }: { id?: unknown; assignment?: unknown; name?: unknown } = Object(value)
    if (assignment === 1 && typeof id === 'number') {
      const [general] = await readLicenses(tx, GENERAL, [id])
      if (general !== undefined && general.name === name) return new NotImported(general.id, 'comes with the service')
    }
    return checkLicense(value)
  },
  keyOf: ({ name = '' }) => name,
  find: ({ tx, companyId }, entries) =>
    findTerms(
      entries,
      (ids) => readLicenses(tx, companyId, ids),
      (license, { name }) => license.name === name,
    ),
  async create({ tx, author, now }, { input }) {
    return (await createLicense(tx, author, withKnownIds({}, input), now)).state.id
  },
  async change({ tx, companyId, author, now }, id, { input }) {
    const before = await lockLicense(tx, companyId, String(id))
    const change = withKnownIds(presentLicense(before), input)
    const after = changeLicense(before, change, { now, takeId: noId })
    if (isDeepStrictEqual(presentLicense(before), presentLicense(after))) return false
    await updateLicense(tx, author, String(id), change, now)
    return true
  },
}

export const prices: Importer<PriceInput> = {
  atOnce: 1,
  isUnique: false,
  read: async (_context, { value }) => checkPrice(value),
  keyOf: ({ title = '' }) => title,
  find: ({ tx, companyId }, entries) =>
    findTerms(
      entries,
      (ids) => readPrices(tx, companyId, ids),
      (price, { title }) => price.title === title,
    ),
  async create({ tx, author, now, recorder }, { input, entry }) {
    const { state } = await createPrice(tx, author, input, now)
    recorder?.note({ kind: 'prices', id: state.id, name: state.title, where: entry.where })
    return state.id
  },
  async change({ tx, companyId, author, now, recorder }, id, { input, entry }) {
    const before = await lockPrice(tx, companyId, String(id))
    const after = changePrice(before, input, before.modified_at)
    if (isDeepStrictEqual(presentPrice(before), presentPrice(after))) return false
    await updatePrice(tx, author, String(id), input, now)
    recorder?.note({ kind: 'prices', id, name: after.title, where: entry.where, before })
    return true
  },
}

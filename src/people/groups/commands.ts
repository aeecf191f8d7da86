import { readLicenses } from '#catalog/licenses/queries.ts'
import { GENERAL } from '#catalog/licenses/rules.ts'
import { licenseUnknown } from '#catalog/products/errors.ts'
import { recordChange } from '#history/audit/commands.ts'
import { shopChanged } from '#history/events/shop-changes.cache.ts'
import { lockCompanyById } from '#identity/companies/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { takeIds } from '#platform/db/ids.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { groupHasPlans, groupTaken, tooManyGroups } from './errors.ts'
import { presentGroup } from './present.ts'
import { countGroups, GROUPS, getGroup, lockGroup, readNextNumber } from './queries.ts'
import { changeGroup, GROUPS_MAX, newGroup, wantedId } from './rules.ts'
import type { GroupChange, GroupInput } from './schema.ts'
import type { CountedGroup, GroupState } from './state.ts'

/** Creates a group. People and products that named its id before belong to it at once. */
export async function createGroup(
  tx: Tx,
  author: Author,
  input: GroupInput,
  now: Date,
): Promise<Written<CountedGroup>> {
  const { companyId } = author
  const wanted = wantedId(input)
  // Two that are made at once would get the same number.
  await lockCompanyById(tx, companyId)
  if ((await countGroups(tx, companyId)) >= GROUPS_MAX) throw tooManyGroups(GROUPS_MAX)
  const { takeRowId } = await takeIds(tx, GROUPS, 1, 0)
  const group_id = 'id' in wanted ? wanted.id : `${wanted.letter}${await readNextNumber(tx, companyId, wanted.letter)}`
  const group = newGroup({ company_id: companyId, id: takeRowId(), group_id }, input, now)
  await checkLicense(tx, undefined, group)
  await tx.insertInto('groups').values(columns(group)).execute().catch(refuseTaken)
  shopChanged(tx, companyId)
  await recordChange(tx, author, 'group created', nameOf(group), now)
  return written(tx, group)
}

/** Changes the fields that the input names. Another license counts for all members at once. */
export async function updateGroup(
  tx: Tx,
  author: Author,
  ref: string,
  input: GroupChange,
  now: Date,
): Promise<Written<CountedGroup>> {
  const before = await lockGroup(tx, author.companyId, ref)
  const group = changeGroup(before, input, now)
  await checkLicense(tx, before, group)
  await tx
    .updateTable('groups')
    .set(columns(group))
    .where('company_id', '=', group.company_id)
    .where('id', '=', group.id)
    .execute()
  shopChanged(tx, author.companyId)
  await recordChange(tx, author, 'group changed', nameOf(group), now)
  return written(tx, group)
}

/** Deletes a group that no plan sells. Products and people keep its id, which opens nothing any more. */
export async function deleteGroup(tx: Tx, author: Author, ref: string, now: Date): Promise<void> {
  const group = await lockGroup(tx, author.companyId, ref)
  await tx
    .deleteFrom('groups')
    .where('company_id', '=', group.company_id)
    .where('id', '=', group.id)
    .execute()
    .catch(refuseSold(group))
  shopChanged(tx, author.companyId)
  await recordChange(tx, author, 'group deleted', nameOf(group), now)
}

const nameOf = ({ title, group_id }: GroupState) => `${title} (${group_id})`

/** A license that is named for the first time has to exist. */
async function checkLicense(tx: Tx, before: GroupState | undefined, { company_id, license_id }: GroupState) {
  if (license_id === null || license_id === before?.license_id) return
  const [own, general] = await Promise.all([company_id, GENERAL].map((owner) => readLicenses(tx, owner, [license_id])))
  if (own?.length === 0 && general?.length === 0) throw validationFailed('license_id', licenseUnknown())
}

function columns(group: GroupState) {
  return { ...group, locales: JSON.stringify(group.locales) }
}

async function written(tx: Tx, { company_id, group_id }: GroupState): Promise<Written<CountedGroup>> {
  const group = await getGroup(tx, company_id, group_id)
  return { state: group, document: asciiJson(presentGroup(group)) }
}

function refuseTaken(error: { code?: string; constraint?: string }): never {
  throw error.code === '23505' && error.constraint === 'groups_group_id' ? validationFailed('id', groupTaken()) : error
}

/** Plans refer to the group that they sell. */
function refuseSold({ title }: GroupState): (error: { code?: string; constraint?: string }) => never {
  return (error) => {
    throw error.code === '23503' && error.constraint === 'plans_group' ? groupHasPlans(title) : error
  }
}

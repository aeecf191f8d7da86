import { type Command, Option } from 'commander'
import { createGroup } from '#people/groups/commands.ts'
import { presentGroup } from '#people/groups/present.ts'
import { getGroup, listGroups } from '#people/groups/queries.ts'
import { GROUP_KINDS, type Group, type GroupInput } from '#people/groups/schema.ts'
import { listPlans } from '#selling/plans/queries.ts'
import { plain, print, type Terminal, wholeNumber } from '../program.ts'
import { table } from '../terminal/table.ts'
import { planInWords } from './plans.ts'
import { all, change, group as commands, type Options, ofCompany, read } from './terms.ts'

const id = wholeNumber(1, Number.MAX_SAFE_INTEGER)

const inWords = ({ id: groupId, title, kind, members, valid, license_id }: Group) =>
  [
    `${groupId}: ${plain(title)} (${kind})`,
    `${members} ${members === 1 ? 'person' : 'people'}, ${valid ? 'open' : 'closed'}, ${license_id === null ? 'no license' : `license ${license_id}`}.`,
  ].join('\n')

type NewGroup = Options & { title: string; kind: Group['kind']; license?: number }

export function addGroups(program: Command, terminal: Terminal): void {
  const groups = commands(program, 'group', 'Groups whose members use products without buying them.')

  ofCompany(groups, 'list', 'List the groups of a company.').action(async ({ company, json }: Options) => {
    const rows = (await read(terminal, company, (db) => all(listGroups(db, company)))).map(presentGroup)
    const text = table(rows, 'The company has no groups.', {
      Id: (row) => row.id,
      Name: (row) => row.title,
      Kind: (row) => row.kind,
      License: (row) => row.license_id ?? '',
      People: (row) => row.members,
      State: (row) => (row.valid ? 'open' : 'closed'),
    })
    print(terminal, json, { groups: rows }, text)
  })

  ofCompany(groups, 'show', 'Show a group and its plans.')
    .argument('<id>', 'id of the group, such as s77')
    .action(async (ref: string, { company, json }: Options) => {
      const { found, plans } = await read(terminal, company, async (db) => {
        const one = await getGroup(db, company, ref)
        const { id: groupId } = presentGroup(one)
        return { found: presentGroup(one), plans: await all(listPlans(db, company, { group_id: groupId })) }
      })
      const lines = [inWords(found), ...plans.map((plan) => `Plan ${planInWords(plan)}`)]
      print(terminal, json, { group: found, plans: plans.map(({ id: planId }) => planId) }, lines.join('\n'))
    })

  ofCompany(groups, 'create', 'Create a group.')
    .requiredOption('--title <text>', 'name that customers see')
    .addOption(new Option('--kind <kind>', 'what it is for').choices(GROUP_KINDS).default('subscription'))
    .option('--license <id>', 'license that members use content under', id)
    .action(async ({ company, json, title, kind, license }: NewGroup) => {
      const input: GroupInput = { title, kind, ...(license === undefined ? {} : { license_id: license }) }
      const { state } = await change(terminal, company, (tx, author, now) => createGroup(tx, author, input, now))
      const created = presentGroup(state)
      print(terminal, json, { group: created }, inWords(created))
    })
}

import { type Command, InvalidArgumentError, Option } from 'commander'
import { readCompanyTime } from '#identity/test-clocks/queries.ts'
import { parseTime } from '#platform/wire/times.ts'
import { withDatabase } from '#program/boot/store.ts'
import { getOwner } from '#rights/entitlements/devices/queries.ts'
import { presentEntitlement, presentExplanation } from '#rights/entitlements/present.ts'
import { findCompanyOf, getEntitlement, listEntitlements, readEntitlements } from '#rights/entitlements/queries.ts'
import { decide } from '#rights/entitlements/rights/rules.ts'
import { askOf, readQuestion, rightsOf } from '#rights/entitlements/rules.ts'
import { ACTIONS, type Entitlement, type Explanation } from '#rights/entitlements/schema.ts'
import { presentUse } from '#rights/entitlements/uses/present.ts'
import { readLatestUses } from '#rights/entitlements/uses/queries.ts'
import type { Use } from '#rights/entitlements/uses/schema.ts'
import { companyId } from '../administration.ts'
import { command, localTime, plain, print, type Terminal } from '../program.ts'
import { table } from '../terminal/table.ts'
import { all, read } from './terms.ts'

const USES = 10
/** The command line speaks English, whatever the customer speaks. */
const LANGUAGE = 'en'

const localTimeOf = (text: string | null) => (text === null ? '' : localTime(parseTime(text) ?? new Date(0)))

type Found = {
  entitlement: Entitlement
  explanation: Explanation
  uses: Use[]
}

type Asked = { action: (typeof ACTIONS)[number]; device?: string; clientTime?: string }

function explain(terminal: Terminal, ref: string, { action, device, clientTime }: Asked): Promise<Found> {
  return withDatabase(terminal.config(), async (db) => {
    const company = await findCompanyOf(db, ref)
    const question = readQuestion(
      {
        action,
        ...(device === undefined ? {} : { device }),
        ...(clientTime === undefined ? {} : { client_time: clientTime }),
      },
      0,
    )
    const found = await getEntitlement(db, { companyId: company, customerId: null }, ref, device ?? '')
    const { entitlement } = found
    const now = await readCompanyTime(db, company)
    const rights = rightsOf(entitlement)
    const ask = askOf(question, found.device)
    const uses = await readLatestUses(db, company, entitlement.id, USES)
    return {
      entitlement: { id: entitlement.id, piece: entitlement.piece, ...presentEntitlement(entitlement, LANGUAGE, now) },
      explanation: presentExplanation(rights, ask, decide(rights, ask, now), LANGUAGE, now),
      uses: uses.map(presentUse),
    }
  })
}

function valueInWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  return value === null ? 'none' : String(value)
}

function inputInWords(input: Record<string, unknown>): string {
  return Object.entries(input)
    .map(([name, value]) => `${name} ${valueInWords(value)}`)
    .join(', ')
}

function foundInWords({ entitlement, explanation, uses }: Found): string {
  const { decision, rules, action } = explanation
  const verdict = decision.allowed ? `${action} is allowed.` : `${action} is refused: ${decision.reason}`
  const lines = [
    `${entitlement.title}, of customer ${entitlement.customer_token}: ${entitlement.state}`,
    `Terms: ${entitlement.terms}`,
    '',
    table(rules, '', {
      Rule: ({ rule }) => rule,
      Verdict: ({ verdict: own, code }) => (code === null ? own : `${own}: ${code}`),
      'Looked at': ({ input }) => inputInWords(input),
    }),
    '',
    verdict[0]?.toUpperCase() + verdict.slice(1),
    '',
    table(uses, 'It was never used, and nothing was refused.', {
      When: ({ created_at }) => localTimeOf(created_at),
      Action: (use) => use.action,
      Kind: ({ kind }) => kind,
      Result: ({ code }) => code,
      Device: ({ device }) => device ?? '',
    }),
  ]
  return plainLines(lines.join('\n'))
}

/** A time in any spelling that the API reads. */
function time(text: string): string {
  if (parseTime(text) === undefined) throw new InvalidArgumentError('It must be a time, such as 2031-06-01T14:05:00Z.')
  return text
}

const plainLines = (text: string) => text.split('\n').map(plain).join('\n')

export function addContent(program: Command, terminal: Terminal): void {
  command(program, 'content', 'What a customer owns, and what remains of it.')
    .argument('<customer>', 'token or id of the customer')
    .requiredOption('--company <id>', 'company that it was bought from', companyId)
    .action(async (customer: string, { company, json }: { company: number; json?: boolean }) => {
      const owned = await read(terminal, company, async (db) => {
        const now = await readCompanyTime(db, company)
        const owner = await getOwner(db, { companyId: company, customerId: null }, customer)
        const listed = await all(listEntitlements(db, owner, {}, now))
        const found = await readEntitlements(
          db,
          company,
          listed.map(({ id }) => id),
        )
        return found.map(({ entitlement }) => ({
          id: entitlement.id,
          piece: entitlement.piece,
          ...presentEntitlement(entitlement, LANGUAGE, now),
        }))
      })
      const text = table(owned, 'The customer owns nothing of this company.', {
        Id: ({ id }) => id,
        Title: ({ title }) => title,
        License: ({ license_title }) => license_title ?? '',
        State: ({ state, code }) => (code === null ? state : `${state}: ${code}`),
        'First used': ({ first_used_at }) => localTimeOf(first_used_at),
        Ends: ({ ends_at }) => localTimeOf(ends_at),
        'Downloads left': ({ remaining }) => remaining.downloads ?? 'no limit',
      })
      print(terminal, json, { content: owned }, plainLines(text))
    })

  command(program, 'explain', 'Why a customer may do something with what he or she owns, or not.')
    .argument('<entitlement>', 'id of the entitlement')
    .addOption(new Option('--action <action>', 'what the customer wants to do').choices(ACTIONS).default('play'))
    .option('--device <id>', 'on this device')
    .option('--client-time <time>', 'with this time on the device', time)
    .action(async (ref: string, { json, ...asked }: Asked & { json?: boolean }) => {
      const found = await explain(terminal, ref, asked)
      print(terminal, json, found, foundInWords(found))
    })
}

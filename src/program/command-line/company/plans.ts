import { type Command, Option } from 'commander'
import { createPlan } from '#selling/plans/commands.ts'
import { presentPlan } from '#selling/plans/present.ts'
import { getPlan, listPlans } from '#selling/plans/queries.ts'
import type { PlanInput } from '#selling/plans/schema.ts'
import type { PlanState } from '#selling/plans/state.ts'
import { plain, print, type Terminal, wholeNumber } from '../program.ts'
import { table } from '../terminal/table.ts'
import { all, change, group as commands, type Options, ofCompany, read } from './terms.ts'

const id = wholeNumber(1, Number.MAX_SAFE_INTEGER)
const INTERVALS = ['week', 'month', 'quarter', 'year'] as const

type Terms = Pick<PlanState, 'interval' | 'interval_count'>

/** `every month`, `every 2 weeks`. */
export const everyOf = ({ interval, interval_count }: Terms) =>
  interval_count === 1 ? `every ${interval}` : `every ${interval_count} ${interval}s`

export function planInWords(plan: PlanState): string {
  const { id: planId, title, price_id, trial_days, minimum_periods, renewals, valid } = plan
  const terms = [
    everyOf(plan),
    ...(trial_days === 0 ? [] : [`${trial_days} days free`]),
    ...(minimum_periods === 0 ? [] : [`at least ${minimum_periods} periods`]),
    ...(renewals === null ? [] : [`${renewals} renewals`]),
    ...(valid ? [] : ['stopped']),
  ]
  return `${planId}: ${plain(title)}, price ${price_id} ${terms.join(', ')}.`
}

type NewPlan = Options & {
  group: string
  title: string
  price: number
  interval: PlanState['interval']
  every?: number
  trialDays?: number
  minimumPeriods?: number
  renewals?: number
  pausable?: 'yes' | 'no'
}

function planInput({ group: group_id, title, price: price_id, interval, ...terms }: NewPlan): PlanInput {
  const { every, trialDays, minimumPeriods, renewals, pausable } = terms
  return {
    group_id,
    title,
    price_id,
    interval,
    ...(every === undefined ? {} : { interval_count: every }),
    ...(trialDays === undefined ? {} : { trial_days: trialDays }),
    ...(minimumPeriods === undefined ? {} : { minimum_periods: minimumPeriods }),
    ...(renewals === undefined ? {} : { renewals }),
    ...(pausable === undefined ? {} : { pausable: pausable === 'yes' }),
  }
}

export function addPlans(program: Command, terminal: Terminal): void {
  const plans = commands(program, 'plan', 'Plans, by which subscription groups are sold.')

  ofCompany(plans, 'list', 'List the plans of a company, or of one group.')
    .option('--group <id>', 'only those of this group, such as s77')
    .action(async ({ company, json, group }: Options & { group?: string }) => {
      const rows = await read(terminal, company, (db) => all(listPlans(db, company, { group_id: group })))
      const text = table(rows, 'There are no plans.', {
        Id: (row) => row.id,
        Group: (row) => row.group_id,
        Name: (row) => row.title,
        Price: (row) => row.price_id,
        Period: (row) => everyOf(row),
        'Free days': (row) => row.trial_days,
        State: (row) => (row.valid ? 'open' : 'stopped'),
      })
      print(terminal, json, { plans: rows.map(presentPlan) }, text)
    })

  ofCompany(plans, 'show', 'Show a plan.')
    .argument('<id>', 'id of the plan', id)
    .action(async (planId: number, { company, json }: Options) => {
      const plan = await read(terminal, company, (db) => getPlan(db, company, String(planId)))
      print(terminal, json, { plan: presentPlan(plan) }, `Plan ${planInWords(plan)}\nIt sells group ${plan.group_id}.`)
    })

  ofCompany(plans, 'create', 'Create a plan of a subscription group.')
    .requiredOption('--group <id>', 'the group, such as s77')
    .requiredOption('--title <text>', 'name that customers see, such as Monthly')
    .requiredOption('--price <id>', 'price of each period', id)
    .addOption(new Option('--interval <interval>', 'what a period is counted in').choices(INTERVALS).default('month'))
    .option('--every <number>', 'so many of them are a period', wholeNumber(1, 100))
    .option('--trial-days <number>', 'free days before the first period', wholeNumber(0, 365))
    .option('--minimum-periods <number>', 'for so many periods nobody can cancel', wholeNumber(0, 120))
    .option('--renewals <number>', 'how often it renews; without it until somebody cancels', wholeNumber(0, 1000))
    .addOption(new Option('--pausable <answer>', 'can subscribers pause?').choices(['yes', 'no']))
    .action(async (options: NewPlan) => {
      const { company, json } = options
      const { state } = await change(terminal, company, (tx, author, now) =>
        createPlan(tx, author, planInput(options), now),
      )
      print(terminal, json, { plan: presentPlan(state) }, `Plan ${planInWords(state)}`)
    })
}

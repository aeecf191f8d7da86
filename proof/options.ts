import { parseArgs } from 'node:util'

export type Options = {
  parts: string[]
  isShort: boolean
  minutes: number
  rounds: number
  percent: number
  from: string | undefined
}

function usage(names: readonly string[]): string {
  return `npm run proof -- [${names.join(' | ')}]… [options]
  --short      everything on little data and in little time; nothing is kept
  --minutes M  how long load lasts (default 30)
  --rounds R   how often something is broken (default 200)
  --percent P  how much of the data growth fills (default 100)
  --from C     the commit from which "machines" upgrades to this one (default: the one before the last migration)`
}

/** What the command line asks for; the mistakes in it are said with what is possible. */
export function readOptions(argv: string[], names: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      short: { type: 'boolean', default: false },
      minutes: { type: 'string', default: '30' },
      rounds: { type: 'string', default: '200' },
      from: { type: 'string' },
      percent: { type: 'string', default: '100' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) throw new Error(usage(names))
  const unknown = positionals.filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}.\n${usage(names)}`)
  const wholeNumber = (name: 'minutes' | 'rounds' | 'percent', maximum: number) => {
    const value = Number(values[name])
    if (!Number.isInteger(value) || value < 1 || value > maximum)
      throw new Error(`--${name} must be a whole number from 1 to ${maximum}.\n${usage(names)}`)
    return value
  }
  return {
    parts: positionals.length === 0 ? [...names] : names.filter((name) => positionals.includes(name)),
    isShort: values.short,
    minutes: wholeNumber('minutes', 600),
    rounds: wholeNumber('rounds', 10_000),
    from: values.from,
    percent: wholeNumber('percent', 100),
  }
}

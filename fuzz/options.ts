import { parseArgs } from 'node:util'

export type Options = { seed: number; requests: number }

const USAGE = `npm run fuzz -- [options]
  --seed N        the same number gives the same requests (default: another one each time)
  --requests N    how many (default 50000)`

const SEED_MAX = 4_294_967_295

function wholeNumber(name: string, text: string, maximum: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > maximum || (name === 'requests' && value === 0))
    throw new Error(
      `--${name} must be a whole number ${name === 'requests' ? 'from 1 ' : ''}up to ${maximum}.\n${USAGE}`,
    )
  return value
}

export function readOptions(argv: string[]): Options {
  const { values } = parseArgs({
    args: argv,
    options: {
      seed: { type: 'string', default: String(Math.floor(Math.random() * SEED_MAX)) },
      requests: { type: 'string', default: '50000' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) throw new Error(USAGE)
  return {
    seed: wholeNumber('seed', values.seed, SEED_MAX),
    requests: wholeNumber('requests', values.requests, 10_000_000),
  }
}

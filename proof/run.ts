import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { arch, cpus, platform, totalmem } from 'node:os'
import { join } from 'node:path'
import { cleanUp, inScope } from '#bench/processes.ts'
import type { Finding } from './findings.ts'
import { readOptions } from './options.ts'
import { proofPage } from './page.ts'
import { PARTS } from './parts.ts'
import { keepResult, readResults } from './results.ts'

const ROOT = join(import.meta.dirname, '..')
const GIGABYTE = 1024 ** 3

function machine(): string {
  const memory = Math.round(totalmem() / GIGABYTE)
  return `${cpus().length} cores ${arch()}, ${memory} GB, ${platform()}, Node ${process.version}`
}

/** The commit that ran, with a plus if something was changed since. */
function currentCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', '--', ':/', ':!/proof/results', ':!/docs/proof.md') !== ''
  return `${git('rev-parse', '--short=9', 'HEAD')}${isChanged ? '+' : ''}`
}

function line({ what, figure, aim, isMet }: Finding): string {
  return `${isMet ? 'ok  ' : 'MISS'} ${what}: ${figure}${aim === undefined ? '' : ` (${aim})`}`
}

async function main(): Promise<void> {
  const { parts, isShort, minutes, rounds, percent, from } = readOptions(process.argv.slice(2), Object.keys(PARTS))
  for (const name of parts) {
    const part = PARTS[name]
    if (part === undefined) continue
    console.log(`\n== ${part.title}`)
    const [commit, started] = [currentCommit(), performance.now()]
    const scale = { isShort, minutes, rounds, percent, from, onProgress: (text: string) => console.log(text) }
    const findings = await inScope(() => part.prove(scale))
    if (findings.length === 0) throw new Error(`${name} has found out nothing`)
    console.log(findings.map(line).join('\n'))
    if (isShort) continue
    const seconds = Math.round((performance.now() - started) / 1000)
    await keepResult(name, { at: new Date().toISOString(), commit, machine: machine(), seconds, findings })
    await writeFile(join(ROOT, 'docs/proof.md'), proofPage(PARTS, await readResults()))
  }
}

let isStopping = false
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => {
    isStopping = true
    void cleanUp().finally(() => process.exit(code))
  })

try {
  await main()
} catch (error) {
  if (!isStopping) console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await cleanUp()
}

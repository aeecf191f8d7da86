import { execFile } from 'node:child_process'
import type { Report } from './check-migrations.ts'
import { ROOT } from './source.ts'

/** A registry that does not answer must not hold up the check. */
const WAIT_MS = 30_000

type Advisories = {
  metadata?: { vulnerabilities?: Record<string, number> }
  vulnerabilities?: Record<string, { name: string; severity: string; range: string }>
}
type Signatures = { invalid?: { name: string; version: string }[]; missing?: { name: string; version: string }[] }

const NOT_OFFERED = 'not offered here'

function parsed<Answer>(text: string): Answer | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Known vulnerabilities of production dependencies; undefined: the registry did not answer. */
export function advisoryMistakes(text: string): string[] | undefined {
  const answer = parsed<Advisories>(text)
  if (answer?.metadata?.vulnerabilities === undefined) return undefined
  return Object.values(answer.vulnerabilities ?? {})
    .filter(({ severity }) => severity === 'high' || severity === 'critical')
    .map(({ name, severity, range }) => `${name} ${range} has a known vulnerability: ${severity}. Run npm audit.`)
}

/** Packages that are not what the registry has signed; undefined: the registry or its keys did not answer. */
export function signatureMistakes(text: string): string[] | undefined {
  const answer = parsed<Signatures>(text)
  if (answer?.invalid === undefined && answer?.missing === undefined) return undefined
  return [...(answer.invalid ?? []), ...(answer.missing ?? [])].map(
    ({ name, version }) =>
      `${name} ${version} does not have a valid signature of the registry. Run npm audit signatures.`,
  )
}

function npm(...args: string[]): Promise<string> {
  const options = { cwd: ROOT, timeout: WAIT_MS, maxBuffer: 64 * 1024 * 1024 }
  return new Promise((resolve) =>
    execFile('npm', [...args, '--json', '--fetch-retries=0', '--fetch-timeout=10000'], options, (_, stdout) =>
      resolve(stdout),
    ),
  )
}

/** Fails on what the registry knows, never because it does not answer. */
export async function checkAudit(): Promise<Report> {
  const [advisories, signatures] = await Promise.all([
    npm('audit', '--omit=dev').then(advisoryMistakes),
    npm('audit', 'signatures').then(signatureMistakes),
  ])
  const said = (mistakes: string[] | undefined) => (mistakes === undefined ? NOT_OFFERED : `${mistakes.length} found`)
  return {
    mistakes: [...(advisories ?? []), ...(signatures ?? [])],
    note: `vulnerabilities: ${said(advisories)}; wrong signatures: ${said(signatures)}`,
  }
}

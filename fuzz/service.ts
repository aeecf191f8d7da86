import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ALL_SCOPES, isForCustomer } from '#apps/oauth/scopes.facts.ts'
import { createMollieServer, type FakeMollie } from '#test/mollie.ts'
import { createStripeServer, type FakeStripe } from '#test/stripe.ts'
import type { Question, Usage } from './diagnostics.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PROGRAM = join(ROOT, 'bin/licet.mjs')
const DAY_SECONDS = '86400'

export type Company = { companyId: number; token: string; email: string; password: string }

export type FuzzedService = {
  url: string
  companies: Company[]
  /** A server in place of Stripe. */
  stripe: FakeStripe
  /** A server in place of Mollie. */
  mollie: FakeMollie
  ask(question: Question): Promise<Usage>
  /** The tokens of the companies; one that was revoked is replaced. */
  renewTokens(): Promise<string[]>
  stop(): Promise<void>
}

function settings(folder: string, stripeUrl: string, mollieUrl: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    PORT: '0',
    HOST: '127.0.0.1',
    LICET_DATA: folder,
    LICET_RATE_LIMIT_BURST: '1000000',
    LICET_RATE_LIMIT_PER_SECOND: '1000000',
    LICET_REFUSE_AFTER_MS: '0',
    LICET_LOG_LEVEL: 'error',
    LICET_CURRENCY_RATES_URL: '',
    LICET_VIES_URL: '',
    LICET_STRIPE_URL: stripeUrl,
    LICET_MOLLIE_URL: mollieUrl,
    LICET_DEMO: 'off',
    // Visitors have addresses of their own, because limits count by address.
    LICET_TRUST_PROXY: '127.0.0.1',
  }
}

/** Starts the service on a database of its own, without the worker: nothing is fetched from other hosts. */
export async function startService(): Promise<FuzzedService> {
  const gateways = [createStripeServer(() => new Date()), createMollieServer(() => new Date())] as const
  await Promise.all(gateways.map((gateway) => gateway.start()))
  const [{ stripe }, { mollie }] = gateways
  const folder = await mkdtemp(join(tmpdir(), 'licet-fuzz-'))
  await chmod(folder, 0o755)
  const env = settings(folder, stripe.url, mollie.url)
  const preload = ['--expose-gc', '--import', join(ROOT, 'fuzz/diagnostics.ts')]
  const child = spawn(process.execPath, [...preload, PROGRAM, 'serve', '--no-worker', '--json'], {
    cwd: ROOT,
    env,
    // Ctrl-C reaches the fuzzer only, which stops the service in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const stop = async () => {
    for (const gateway of gateways) gateway.stop()
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const greeting: { address: string } = JSON.parse(await firstLine(child))
    const opened: Omit<Company, 'token'>[] = []
    // One after another, so that every run gives them the same ids.
    for (const name of ['fuzz', 'other', 'shop']) opened.push(await openCompany(env, name))
    const companies = await Promise.all(opened.map(async (each) => ({ ...each, token: await issueToken(env, each) })))
    const url = greeting.address
    const renewTokens = () =>
      Promise.all(
        companies.map(async (company) => {
          const headers = { authorization: `Bearer ${company.token}` }
          const { status } = await fetch(`${url}/api/tokeninfo`, { headers })
          if (status === 401) company.token = await issueToken(env, company)
          return company.token
        }),
      )
    return { url, companies, stripe, mollie, ask: (question) => ask(child, question), renewTokens, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the output of the service is not read')
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error('the service ended before it had started')
}

async function ask(child: ChildProcess, question: Question): Promise<Usage> {
  const answer = once(child, 'message')
  child.send(question)
  const [usage]: Usage[] = await answer
  if (usage === undefined) throw new Error('the service does not tell what it has used')
  return usage
}

async function licet(env: NodeJS.ProcessEnv, ...args: string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...args, '--json'], {
    env,
  })
  return JSON.parse(stdout)
}

async function openCompany(env: NodeJS.ProcessEnv, name: string): Promise<Omit<Company, 'token'>> {
  const email = `${name}@example.com`
  const company: { company_id: number; password: string } = await licet(
    env,
    'company',
    'create',
    '--name',
    name,
    '--email',
    email,
    '--country',
    'DE',
    '--currency',
    'EUR',
  )
  return { companyId: company.company_id, email, password: company.password }
}

async function issueToken(env: NodeJS.ProcessEnv, { companyId }: Pick<Company, 'companyId'>): Promise<string> {
  const scope = ALL_SCOPES.filter((each) => !isForCustomer(each)).join(',')
  const issued: { access_token: string } = await licet(
    env,
    'token',
    '--company',
    String(companyId),
    '--scope',
    scope,
    '--expires-in',
    DAY_SECONDS,
  )
  return issued.access_token
}

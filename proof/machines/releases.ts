import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { atCleanUp, makeDataFolder } from '#bench/processes.ts'
import { migrationNames } from '#platform/db/migrations/migrate.ts'
import { type Release, THIS_RELEASE } from './site.ts'

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: THIS_RELEASE, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

/** The release before this one, and what this one has migrated since. */
export type Earlier = { commit: string; release: Release; since: string[] }

/** The commit before the one that has brought the last migration. */
function commitBeforeLastMigration(): string {
  const last = git('log', '-1', '--format=%H', '--diff-filter=A', '--', 'migrations')
  return git('rev-parse', '--verify', `${last}^`)
}

/** Checks an earlier commit out beside this one, with the packages of this one, or says in a sentence why not. */
export async function checkOutEarlier(commit?: string): Promise<Earlier | { missing: string }> {
  let chosen: string
  try {
    chosen = commit === undefined ? commitBeforeLastMigration() : git('rev-parse', '--verify', `${commit}^{commit}`)
  } catch {
    return {
      missing: commit === undefined ? 'the history of the migrations is not here' : `there is no commit ${commit}`,
    }
  }
  const folder = join(await makeDataFolder(), 'earlier')
  git('worktree', 'add', '--detach', folder, chosen)
  atCleanUp(async () => void git('worktree', 'remove', '--force', folder))
  const packages = join(THIS_RELEASE, 'node_modules')
  if (existsSync(packages)) await symlink(packages, join(folder, 'node_modules'))
  const known = new Set((await readdir(join(folder, 'migrations'))).map((file) => file.replace(/\.sql$/, '')))
  const since = (await migrationNames()).filter((name) => !known.has(name))
  if (since.length === 0) return { missing: `the commit ${chosen.slice(0, 9)} has all migrations already` }
  return { commit: chosen, release: folder, since }
}

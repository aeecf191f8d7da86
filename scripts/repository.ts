import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { type Git, gitIn } from './git.ts'

export type Repository = {
  root: string
  git: Git
  write(files: Record<string, string>): Promise<void>
  commit(message: string): Promise<void>
}

/** A Git repository of its own for tests, on the branch main. It is removed when the test file ends. */
export async function makeRepository(): Promise<Repository> {
  const root = await mkdtemp(join(tmpdir(), 'licet-repository-'))
  after(() => rm(root, { recursive: true, force: true }))
  // The settings of the machine, such as signing or hooks, must not reach the test.
  const git = gitIn(root, { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' })
  await git('init', '--quiet', '--initial-branch=main')
  await git('config', 'user.name', 'Test')
  await git('config', 'user.email', 'test@example.com')
  return {
    root,
    git,
    async write(files) {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(root, path)), { recursive: true })
        await writeFile(join(root, path), text)
      }
    },
    async commit(message) {
      await git('add', '--all')
      await git('commit', '--quiet', '--message', message)
    },
  }
}

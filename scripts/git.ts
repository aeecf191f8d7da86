import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type Git = (...args: string[]) => Promise<string>

/** Git in a folder, as a function that returns what the command prints. */
export function gitIn(root: string, env: NodeJS.ProcessEnv = {}): Git {
  return async (...args) => {
    // A Git hook names its own repository by these; the folder decides here.
    const { GIT_DIR, GIT_INDEX_FILE, GIT_WORK_TREE, ...inherited } = process.env
    const options = { cwd: root, env: { ...inherited, ...env }, maxBuffer: 64 * 1024 * 1024 }
    return (await run('git', args, options)).stdout
  }
}

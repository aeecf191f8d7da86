import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { gitIn } from './git.ts'
import { makeSbom } from './sbom.ts'
import { ROOT } from './source.ts'

const run = promisify(execFile)

/** Settings of the machine that would change the bytes. */
const SAME_EVERYWHERE = ['tar.umask=0022', 'core.autocrlf=false', 'core.eol=lf'].flatMap((setting) => ['-c', setting])

/** The files of a commit, packed. The bytes depend on the commit alone: not on the folder, the time or the account. */
export async function packCommit(root: string, commit: string, prefix: string): Promise<Buffer> {
  const args = [...SAME_EVERYWHERE, 'archive', '--format=tar', `--prefix=${prefix}/`, commit]
  const { stdout } = await run('git', args, { cwd: root, encoding: 'buffer', maxBuffer: 1024 * 1024 * 1024 })
  // Node writes no name and no time into the header.
  return gzipSync(stdout, { level: 9 })
}

/** Writes what belongs to a release into a folder: the tarball, what it is made of, and the checksums of both. */
export async function writeRelease(root: string, version: string, folder: string): Promise<string[]> {
  const commit = `v${version}^{commit}`
  const seconds = Number(await gitIn(root)('show', '--no-patch', '--format=%ct', commit))
  const name = `licet-${version}`
  const sbom = await makeSbom(root, new Date(seconds * 1000))
  const files: [string, Buffer][] = [
    [`${name}.tar.gz`, await packCommit(root, commit, name)],
    [`${name}.cdx.json`, Buffer.from(`${JSON.stringify(sbom, null, 2)}\n`)],
  ]
  const sums = files.map(([file, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${file}\n`)
  files.push(['SHA256SUMS', Buffer.from(sums.join(''))])
  await mkdir(folder, { recursive: true })
  for (const [file, bytes] of files) await writeFile(join(folder, file), bytes)
  return files.map(([file]) => join(folder, file))
}

if (import.meta.main) {
  const [version = '', folder = 'release'] = process.argv.slice(2)
  for (const file of await writeRelease(ROOT, version.replace(/^v/, ''), resolve(folder))) console.log(file)
}

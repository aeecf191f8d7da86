import { spawnSync } from 'node:child_process'
import { chmod, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { atCleanUp } from '#bench/processes.ts'

/** A file system of its own that can be filled to the last byte. */
export type SmallDisk = { folder: string; fill(): Promise<void>; clear(): Promise<void> }

/** Why no file system can be mounted here; undefined: one can. */
export function whyNotMountable(): string | undefined {
  if (process.platform !== 'linux') return 'only Linux mounts file systems in memory'
  if (process.getuid?.() !== 0) return 'only root may mount a file system'
  return undefined
}

/** Mounts a file system in memory; undefined where that is refused, as in many containers. */
export async function mountSmallDisk(folder: string, megabytes: number): Promise<SmallDisk | undefined> {
  await mkdir(folder, { recursive: true })
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  if (status !== 0) return undefined
  // What still runs in it is ended before; a lazy one ends with the last open file.
  atCleanUp(async () => void spawnSync('umount', ['--lazy', folder]))
  await chmod(folder, 0o755)
  const ballast = join(folder, 'ballast')
  return { folder, fill: () => fillWith(ballast), clear: () => rm(ballast, { force: true }) }
}

const CHUNK_BYTES = 1_048_576

/** Writes until not another byte fits in. */
async function fillWith(path: string): Promise<void> {
  const handle = await open(path, 'a')
  try {
    for (let bytes = CHUNK_BYTES; bytes >= 1; ) {
      try {
        await handle.write(Buffer.alloc(bytes))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        bytes = Math.floor(bytes / 2)
      }
    }
  } finally {
    await handle.close()
  }
}

import { statfs } from 'node:fs/promises'
import { DISK_FREE_MIN_BYTES } from './rules.ts'
import type { Found } from './state.ts'

/** Is the disk full on which the service collects uploads? A folder that is not there yet says nothing. */
export async function readDisk(folder: string): Promise<Found> {
  const disk = await statfs(folder).catch(() => undefined)
  const isFull = disk !== undefined && disk.bavail * disk.bsize < DISK_FREE_MIN_BYTES
  return { kind: 'disk_full', count: isFull ? 1 : 0 }
}

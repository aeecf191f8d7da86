import type { Files } from '#platform/files/files.ts'
import { keysOf } from '#platform/wire/typed-entries.ts'
import { PICTURE_TYPES } from './formats.facts.ts'
import { shrinkImage } from './image.files.ts'
import { originalName, type PictureName, type PictureWidth, sizeName } from './names.rules.ts'

/**
 * Returns the key of a picture's file in a folder, and creates the size if needed; undefined if there is no such
 * picture.
 */
export type FindPictureFile = (folder: string, name: PictureName) => Promise<string | undefined>

/** Finds originals, and creates sizes on first request. */
export function createPictureSizes(files: Files): FindPictureFile {
  const making = new Map<string, Promise<boolean>>()

  async function make(folder: string, hash: string, width: PictureWidth): Promise<boolean> {
    const original = await findOriginal(files, folder, hash)
    if (original === undefined) return false
    const size = await shrinkImage(() => readOriginal(files, original), width)
    await files.put(`${folder}/${sizeName(hash, width)}`, size)
    // The original was deleted in the meantime, so the new file would stay forever.
    if (await files.exists(original)) return true
    await files.deleteAll(folder)
    return false
  }

  /** Requests for a size that is being created wait for it instead of creating it again. */
  function makeOnce(folder: string, hash: string, width: PictureWidth): Promise<boolean> {
    const key = `${folder}/${sizeName(hash, width)}`
    const running = making.get(key)
    if (running !== undefined) return running
    const started = make(folder, hash, width).finally(() => making.delete(key))
    making.set(key, started)
    return started
  }

  return async (folder, { hash, extension, width }) => {
    const key = `${folder}/${width === undefined ? originalName(hash, extension) : sizeName(hash, width)}`
    if (await files.exists(key)) return key
    return width !== undefined && (await makeOnce(folder, hash, width)) ? key : undefined
  }
}

/** The name of a size does not contain the format of the original, so every format is tried. */
async function findOriginal(files: Files, folder: string, hash: string): Promise<string | undefined> {
  for (const extension of keysOf(PICTURE_TYPES)) {
    const key = `${folder}/${originalName(hash, extension)}`
    if (await files.exists(key)) return key
  }
  return undefined
}

async function readOriginal(files: Files, key: string): Promise<Buffer> {
  const bytes = await files.read(key)
  if (bytes === undefined) throw new Error(`${key} was deleted while a size of it was being made`)
  return bytes
}

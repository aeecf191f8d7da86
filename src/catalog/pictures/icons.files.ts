import type { Files } from '#platform/files/files.ts'
import { drawLetter, makeIcon } from './image.files.ts'
import { pictureFolder } from './names.rules.ts'
import type { IconSource } from './rules.ts'

export type FindIcon = (source: IconSource, size: number) => Promise<Buffer>

/** Makes the square icons of shops as PNGs, each once. */
export function createIcons(files: Files): FindIcon {
  const making = new Map<string, Promise<Buffer>>()

  async function make(key: string, source: IconSource, size: number): Promise<Buffer> {
    const kept = await files.read(key)
    if (kept !== undefined) return kept
    const bytes =
      source.kind === 'picture'
        ? await makeIcon(() => readOriginal(files, source), size)
        : await drawLetter(source.letter, { colour: source.colour, on: source.on, size })
    await files.put(key, bytes)
    return bytes
  }

  return (source, size) => {
    const key = keyOf(source, size)
    const running = making.get(key)
    if (running !== undefined) return running
    const started = make(key, source, size).finally(() => making.delete(key))
    making.set(key, started)
    return started
  }
}

function keyOf(source: IconSource, size: number): string {
  if (source.kind === 'picture') return `${pictureFolder(source.companyId, source.id)}/${source.file}-icon-${size}.png`
  const letter = Buffer.from(source.letter).toString('hex')
  return `icons/${letter}-${source.colour.slice(1)}-${source.on.slice(1)}-${size}.png`
}

async function readOriginal(files: Files, { companyId, id, file }: IconSource & { kind: 'picture' }): Promise<Buffer> {
  const bytes = await files.read(`${pictureFolder(companyId, id)}/${file}`)
  if (bytes === undefined) throw new Error(`the icon ${id} was deleted while a size of it was being made`)
  return bytes
}

import type { Sharp, SharpOptions } from 'sharp'
import { createSemaphore } from '#platform/semaphore.ts'
import type { PictureExtension, PictureWidth } from './names.ts'

export type Inspection =
  | { kind: 'image'; extension: PictureExtension; width: number; height: number }
  | { kind: 'refused'; reason: string }

const PIXELS_MAX = 100_000_000
const DECODE_SECONDS = 20
const RUNS_MAX = 2

/** Pictures take memory and a core each, so few are worked on at once; the others wait their turn. */
const decoding = createSemaphore(RUNS_MAX)

const LOADERS: Record<string, PictureExtension> = { jpeg: 'jpg', png: 'png', gif: 'gif', webp: 'webp', heif: 'avif' }

/** Loaded when the first picture comes: it takes a tenth of a second and memory that most processes never need. */
async function openImage(bytes: Buffer): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  const options: SharpOptions = { failOn: 'error', limitInputPixels: PIXELS_MAX }
  return sharp(bytes, options).timeout({ seconds: DECODE_SECONDS })
}

/** The format by its first bytes, so that no other decoder (SVG, PDF, TIFF…) ever sees what came from outside. */
function sniff(bytes: Buffer): PictureExtension | undefined {
  const text = bytes.toString('latin1', 0, 12)
  if (text.startsWith('\xff\xd8\xff')) return 'jpg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(text)) return 'gif'
  if (/^RIFF.{4}WEBP/s.test(text)) return 'webp'
  if (/^.{4}ftyp(?:avif|avis|mif1|msf1)/s.test(text)) return 'avif'
  return undefined
}

/** Decodes all of a picture, since a right beginning says nothing of the rest, and tells what it is as people see it. */
export async function inspectImage(bytes: Buffer): Promise<Inspection> {
  const extension = sniff(bytes)
  if (extension === undefined) return refused('The file is not a JPEG, PNG, GIF, WebP or AVIF picture.')
  return decoding(async () => {
    try {
      const image = await openImage(bytes)
      const { format, compression, autoOrient } = await image.metadata()
      if (LOADERS[format] !== extension || (format === 'heif' && compression !== 'av1')) {
        return refused('The file is not a JPEG, PNG, GIF, WebP or AVIF picture.')
      }
      // One pixel is the smallest result that needs every line of the source.
      await image.resize(1, 1).raw().toBuffer()
      return { kind: 'image', extension, width: autoOrient.width, height: autoOrient.height }
    } catch (error) {
      return refused(inWords(error))
    }
  })
}

/** A narrower form as webp: upright, without the original's metadata, never enlarged; of a moving picture the first frame. */
export function shrinkImage(read: () => Promise<Buffer>, width: PictureWidth): Promise<Buffer> {
  return decoding(async () => {
    const image = await openImage(await read())
    return image.autoOrient().resize({ width, withoutEnlargement: true }).webp({ quality: 80 }).toBuffer()
  })
}

function inWords(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (/pixel limit/.test(message)) return `The picture has more than ${PIXELS_MAX / 1_000_000} million pixels.`
  if (/^timeout/.test(message)) return 'The picture takes too long to decode.'
  return 'The picture is damaged or incomplete.'
}

function refused(reason: string): Inspection {
  return { kind: 'refused', reason }
}

import type { Sharp, SharpOptions } from 'sharp'
import { createSemaphore } from '#platform/semaphore.ts'
import type { PictureExtension, PictureWidth } from './names.ts'

export type Inspection =
  | { kind: 'image'; extension: PictureExtension; width: number; height: number }
  | { kind: 'refused'; reason: string }

const PIXELS_MAX = 100_000_000
const DECODE_SECONDS = 20
const RUNS_MAX = 2

/** Each picture takes memory and a core, so only a few are processed at once and the others wait. */
const decoding = createSemaphore(RUNS_MAX)

const LOADERS: Record<string, PictureExtension> = { jpeg: 'jpg', png: 'png', gif: 'gif', webp: 'webp', heif: 'avif' }

/** Loaded with the first picture, because it takes a tenth of a second and memory that most processes never need. */
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

/**
 * Decodes the whole picture, because a valid header proves nothing about the rest, and returns its format and upright
 * size.
 */
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

/** A smaller WebP version: upright, without metadata, never enlarged, and only the first frame of an animation. */
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

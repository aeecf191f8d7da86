import sharp, { type Sharp, type SharpOptions } from 'sharp'
import type { PictureExtension } from './formats.facts.ts'
import { type PictureWidth, sizeFormat } from './names.rules.ts'
import { NOT_A_PICTURE, TOO_MUCH_MEMORY, TOO_SLOW } from './refusals.facts.ts'

/** Everything that decodes pictures from outside. It runs in a process of its own; see decoder.process.ts. */

export type Inspection =
  | { kind: 'image'; extension: PictureExtension; width: number; height: number }
  | { kind: 'refused'; reason: string; isFinal: boolean }

const PIXELS_MAX = 40_000_000
const DECODE_SECONDS = 20

const LOADERS: Record<string, PictureExtension> = { jpeg: 'jpg', png: 'png', gif: 'gif', webp: 'webp', heif: 'avif' }

sharp.cache(false)
sharp.concurrency(1)

function openImage(bytes: Uint8Array): Sharp {
  const options: SharpOptions = { failOn: 'error', limitInputPixels: PIXELS_MAX }
  return sharp(bytes, options).timeout({ seconds: DECODE_SECONDS })
}

/**
 * Decodes the whole picture, because a valid header proves nothing about the rest, and returns its format and upright
 * size. The size in the header is checked first, because decoding takes memory for each pixel.
 */
export async function inspect(bytes: Uint8Array, extension: PictureExtension): Promise<Inspection> {
  try {
    const image = openImage(bytes)
    const { format, compression, width, height, autoOrient } = await image.metadata()
    if (LOADERS[format] !== extension || (format === 'heif' && compression !== 'av1')) return refused(NOT_A_PICTURE)
    if (width * height > PIXELS_MAX) return refused(TOO_LARGE)
    // One pixel is the smallest result that needs every line of the source.
    await image.resize(1, 1).raw().toBuffer()
    return { kind: 'image', extension, width: autoOrient.width, height: autoOrient.height }
  } catch (error) {
    return refused(inWords(error))
  }
}

/** A smaller version: upright, without metadata, never enlarged, and only the first frame of an animation. */
export function shrink(bytes: Uint8Array, width: PictureWidth): Promise<Uint8Array> {
  const small = openImage(bytes).autoOrient().resize({ width, withoutEnlargement: true })
  // A palette makes a PNG a third as large, and nobody sees the difference at this size.
  return (sizeFormat(width) === 'png' ? small.png({ palette: true }) : small.webp({ quality: 80 })).toBuffer()
}

/** A square PNG, as systems want it that show an icon beside those of programs. */
export function squareIcon(bytes: Uint8Array, size: number): Promise<Uint8Array> {
  return openImage(bytes).autoOrient().resize(size, size, { fit: 'cover' }).png().toBuffer()
}

/** A letter on a square of the shop's colour, for shops without an icon. */
export async function letterIcon(letter: string, { colour, on, size }: LetterStyle): Promise<Uint8Array> {
  const height = Math.round(size / 2)
  const text = { text: `<span foreground="${on}">${ESCAPES[letter] ?? letter}</span>`, font: 'sans bold', rgba: true }
  const drawn = await sharp({ text: { ...text, width: height, height } })
    .png()
    .toBuffer()
  return sharp({ create: { width: size, height: size, channels: 4, background: colour } })
    .composite([{ input: drawn }])
    .png()
    .toBuffer()
}

export type LetterStyle = { colour: string; on: string; size: number }

/** The text is markup, in which these letters mean something. */
const ESCAPES: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' }

const TOO_LARGE = `The picture has more than ${PIXELS_MAX / 1_000_000} million pixels.`

function inWords(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (/pixel limit/.test(message)) return TOO_LARGE
  if (/^timeout/.test(message)) return TOO_SLOW
  if (/allocat/i.test(message)) return TOO_MUCH_MEMORY
  return 'The picture is damaged or incomplete.'
}

function refused(reason: string): Inspection {
  return { kind: 'refused', reason, isFinal: true }
}

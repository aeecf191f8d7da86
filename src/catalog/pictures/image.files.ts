import { join } from 'node:path'
import { serviceBusy } from '#platform/errors/errors.ts'
import { createLimitedProcess, ProcessEnded } from '#platform/processes/limited-process.ts'
import type { Inspection, LetterStyle } from './decode.process.ts'
import type { DecoderAnswer, DecoderRequest } from './decoder.process.ts'
import type { PictureExtension } from './formats.facts.ts'
import type { PictureWidth } from './names.rules.ts'
import { NOT_A_PICTURE, TOO_MUCH_MEMORY, TOO_SLOW } from './refusals.facts.ts'

/**
 * Pictures come from outside, and a few kilobytes can unpack to gigabytes. So they are decoded in a process of its own,
 * one at a time, with a limit on its memory: the largest that are accepted take 770 MB.
 */
const decoder = createLimitedProcess<DecoderRequest, DecoderAnswer>({
  script: join(import.meta.dirname, 'decoder.process.ts'),
  memoryMb: 1536,
  timeoutMs: 30_000,
  idleMs: 10_000,
})

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

/** Decodes the whole picture and returns its format and upright size. */
export async function inspectImage(bytes: Buffer): Promise<Inspection> {
  const extension = sniff(bytes)
  if (extension === undefined) return refused(NOT_A_PICTURE)
  try {
    const answer = await decoder.ask(async () => ({ kind: 'inspect', bytes, extension }))
    if (answer instanceof Uint8Array) throw new Error('the decoder answered another request')
    return answer
  } catch (error) {
    if (!(error instanceof ProcessEnded)) throw error
    // Something else may have ended the process, so the picture is tried again.
    return error.timedOut ? refused(TOO_SLOW) : { ...refused(TOO_MUCH_MEMORY), isFinal: false }
  }
}

/** A smaller version of a picture that was accepted. */
export function shrinkImage(read: () => Promise<Buffer>, width: PictureWidth): Promise<Buffer> {
  return draw(async () => ({ kind: 'shrink', bytes: await read(), width }) as const)
}

/** A square PNG of a picture that was accepted. */
export function makeIcon(read: () => Promise<Buffer>, size: number): Promise<Buffer> {
  return draw(async () => ({ kind: 'icon', bytes: await read(), size }) as const)
}

/** A letter on a coloured square, as a PNG. */
export function drawLetter(letter: string, style: LetterStyle): Promise<Buffer> {
  return draw(async () => ({ kind: 'letter', letter, ...style }) as const)
}

async function draw(request: () => Promise<DecoderRequest>): Promise<Buffer> {
  const answer = await decoder.ask(request).catch((error: unknown) => {
    throw error instanceof ProcessEnded ? serviceBusy() : error
  })
  if (!(answer instanceof Uint8Array)) throw new Error('the decoder answered another request')
  return Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength)
}

function refused(reason: string) {
  return { kind: 'refused', reason, isFinal: true } as const
}

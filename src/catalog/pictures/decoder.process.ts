import { answerRequests } from '#platform/processes/limited-process.ts'
import { type Inspection, inspect, type LetterStyle, letterIcon, shrink, squareIcon } from './decode.process.ts'
import type { PictureExtension } from './formats.facts.ts'
import type { PictureWidth } from './names.rules.ts'

/** What the process that decodes pictures is asked for. */
export type DecoderRequest =
  | { kind: 'inspect'; bytes: Uint8Array; extension: PictureExtension }
  | { kind: 'shrink'; bytes: Uint8Array; width: PictureWidth }
  | { kind: 'icon'; bytes: Uint8Array; size: number }
  | ({ kind: 'letter'; letter: string } & LetterStyle)

export type DecoderAnswer = Inspection | Uint8Array

answerRequests<DecoderRequest, DecoderAnswer>((request) => {
  if (request.kind === 'inspect') return inspect(request.bytes, request.extension)
  if (request.kind === 'icon') return squareIcon(request.bytes, request.size)
  if (request.kind === 'letter') return letterIcon(request.letter, request)
  return shrink(request.bytes, request.width)
})

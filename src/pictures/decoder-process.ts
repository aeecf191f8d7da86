import { answerRequests } from '#platform/limited-process.ts'
import { type Inspection, inspect, shrink } from './decode.ts'
import type { PictureExtension, PictureWidth } from './names.ts'

/** What the process that decodes pictures is asked for. */
export type DecoderRequest =
  | { kind: 'inspect'; bytes: Uint8Array; extension: PictureExtension }
  | { kind: 'shrink'; bytes: Uint8Array; width: PictureWidth }

export type DecoderAnswer = Inspection | Uint8Array

answerRequests<DecoderRequest, DecoderAnswer>((request) =>
  request.kind === 'inspect' ? inspect(request.bytes, request.extension) : shrink(request.bytes, request.width),
)

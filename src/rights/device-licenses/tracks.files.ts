import type { Writable } from 'node:stream'
import type { Files, Range } from '#platform/files/files.ts'
import { through } from '#rights/playbacks/encrypt.files.ts'
import { encryptorAt } from './keys.secrets.ts'
import { cut } from './rules.ts'
import type { Piece } from './state.ts'

/** Sends a part of a track, encrypted on its way out, as fast as the target takes it. */
export async function sendTrack(
  files: Files,
  { pieces, key }: { pieces: readonly Piece[]; key: Buffer },
  range: Range,
  target: Writable,
): Promise<void> {
  const encrypt = encryptorAt(key, range.start)
  const encrypting = through(target, encrypt)
  for (const piece of cut(pieces, range)) {
    if ('clear' in piece) {
      await written(encrypting, piece.clear)
      continue
    }
    const opened = await files.open(piece.key, { start: piece.at, end: piece.at + piece.bytes - 1 })
    if (opened === undefined) throw new Error(`the stored file ${piece.key} is missing`)
    try {
      await opened.sendTo(encrypting)
    } finally {
      await opened.close()
    }
  }
  target.end()
}

function written(target: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => void target.write(bytes, (error) => (error ? reject(error) : resolve())))
}

/** A box of an MP4 file within other bytes: its type, and where its content is. */
export type Box = { type: string; at: number; content: number; end: number }

/** The beginning of a box. Its size may be written in 64 bits. */
export function readHead(bytes: Buffer, at: number): { type: string; head: number; size: number } {
  const size = bytes.readUInt32BE(at)
  const type = bytes.toString('latin1', at + 4, at + 8)
  return size === 1 ? { type, head: 16, size: Number(bytes.readBigUInt64BE(at + 8)) } : { type, head: 8, size }
}

/** The boxes in a part of some bytes. */
export function boxesIn(bytes: Buffer, from: number, to: number): Box[] {
  const boxes: Box[] = []
  for (let at = from; at + 8 <= to; ) {
    const { type, head, size } = readHead(bytes, at)
    if (size < head || at + size > to) throw new Error(`the box ${type} is larger than what holds it`)
    boxes.push({ type, at, content: at + head, end: at + size })
    at += size
  }
  return boxes
}

/** The first box of a type, within the boxes that the path names before it. */
export function findBox(bytes: Buffer, path: readonly string[]): Box {
  let found: Box = { type: '', at: 0, content: 0, end: bytes.length }
  for (const type of path) {
    const next = boxesIn(bytes, found.content, found.end).find((each) => each.type === type)
    if (next === undefined) throw new Error(`there is no box ${path.join('/')}`)
    found = next
  }
  return found
}

export function box(type: string, ...parts: Uint8Array[]): Buffer {
  const size = parts.reduce((sum, { length }) => sum + length, 8)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(size)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...parts], size)
}

const VERSION = 0x100_0000

/** A box with a version and flags. */
export function fullBox(type: string, version: number, flags: number, ...parts: Uint8Array[]): Buffer {
  return box(type, numbers([version * VERSION + flags]), ...parts)
}

/** Numbers of 32 bits, one after another. */
export function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * index)
  return bytes
}

import { createCipheriv } from 'node:crypto'
import type { Parts } from './fragments.rules.ts'
import type { Layout, UnitLayout } from './init.rules.ts'

const BLOCK = 16
/** Of so many bytes of a picture the first block is encrypted. */
const STRIDE = 10 * BLOCK
/** The beginning of a unit says what it is. Browsers read it before they decrypt the rest. */
const CLEAR_BYTES = 32
const CLEAR_MAX = 0xffff
/** The size of the list for a sample is written in one byte. */
const PARTS_MAX = 42

/**
 * Encrypts a sample in its place, and says which parts of it. What has more pictures than the list can name stays clear from there on,
 * as does a sample whose units make no sense: nobody can decode it.
 */
export function encryptSample(sample: Buffer, layout: Layout, key: Buffer, iv: Buffer): Parts {
  if (layout.kind === 'whole') {
    const whole = sample.subarray(0, sample.length - (sample.length % BLOCK))
    whole.set(cipherOf(key, iv).update(whole))
    return []
  }
  const parts: [number, number][] = []
  let clearFrom = 0
  for (let at = 0, end = 0; at < sample.length; at = end) {
    end = endOfUnit(sample, at, layout)
    const from = at + layout.lengthBytes + CLEAR_BYTES
    const clearAfter = Math.ceil((sample.length - clearFrom) / CLEAR_MAX)
    if (end - from < BLOCK || !isPicture(sample, at, layout) || parts.length + clearAfter > PARTS_MAX - 2) continue
    parts.push(...clearParts(from - clearFrom, end - from))
    encryptPattern(sample.subarray(from, end), key, iv)
    clearFrom = end
  }
  if (clearFrom < sample.length) parts.push(...clearParts(sample.length - clearFrom, 0))
  return parts
}

/** Clear bytes before some that are encrypted. More than an entry can say are several entries. */
function clearParts(clear: number, encrypted: number): [number, number][] {
  const full = Math.floor(clear / CLEAR_MAX)
  const entries = Array.from({ length: full }, (): [number, number] => [CLEAR_MAX, 0])
  entries.push([clear - full * CLEAR_MAX, encrypted])
  return entries
}

function endOfUnit(sample: Buffer, at: number, { lengthBytes }: UnitLayout): number {
  if (at + lengthBytes > sample.length) return sample.length
  return Math.min(sample.length, at + lengthBytes + sample.readUIntBE(at, lengthBytes))
}

/** Other units say how to decode the pictures. */
function isPicture(sample: Buffer, at: number, { codec, lengthBytes }: UnitLayout): boolean {
  const first = sample.readUInt8(at + lengthBytes)
  if (codec === 'hevc') return ((first >> 1) & 0x3f) < 32
  const type = first & 0x1f
  return type >= 1 && type <= 5
}

/** Encrypts the first block of each stride, each chained to the one before. What is shorter than a block stays clear. */
function encryptPattern(bytes: Buffer, key: Buffer, iv: Buffer): void {
  const count = Math.floor((bytes.length - BLOCK) / STRIDE) + 1
  const blocks = Buffer.allocUnsafe(count * BLOCK)
  copyBlocks(bytes, STRIDE, blocks, BLOCK, count)
  copyBlocks(cipherOf(key, iv).update(blocks), BLOCK, bytes, STRIDE, count)
}

/** Copies blocks in halves: calling a method for each block takes six times as long. */
function copyBlocks(from: Buffer, fromStride: number, to: Buffer, toStride: number, count: number): void {
  const [source, target] = [viewOf(from), viewOf(to)]
  for (let index = 0; index < count; index += 1) {
    const at = index * fromStride
    const place = index * toStride
    target.setBigUint64(place, source.getBigUint64(at))
    target.setBigUint64(place + 8, source.getBigUint64(at + 8))
  }
}

const viewOf = ({ buffer, byteOffset, length }: Buffer) => new DataView(buffer, byteOffset, length)

const cipherOf = (key: Buffer, iv: Buffer) => createCipheriv('aes-128-cbc', key, iv).setAutoPadding(false)

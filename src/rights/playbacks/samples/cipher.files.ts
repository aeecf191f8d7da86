import type { SegmentCipher } from '../encrypt.files.ts'
import { encryptSample } from './blocks.secrets.ts'
import { readHead } from './boxes.rules.ts'
import { type Fragment, readFragment, type Sample, writeHead } from './fragments.rules.ts'
import type { Layout } from './init.rules.ts'

/** A segment is sent in fragments of about so many bytes, because the head of each says which parts of its samples are encrypted. */
const FRAGMENT_BYTES = 256 * 1024
const SAMPLES_MAX = 1024
/** More than the packer puts into a segment. */
const HELD_MAX = 128 * 1_048_576
/** The head of the samples, with a size of 64 bits. */
const DATA_HEAD = 16

type Next = { samples: readonly Sample[]; bytes: Buffer; held: number; duration: number }

/** Encrypts the samples of a segment as it comes by. What is kept in memory is one of the fragments that it is sent in. */
export function createSampleCipher(layout: Layout, key: Buffer, iv: Buffer): SegmentCipher {
  let start: Buffer = Buffer.alloc(0)
  let rest: Fragment | undefined
  let next: Next | undefined

  /** Reads the head of the segment. What comes after it is returned, once all of it is there. */
  function readStart(bytes: Buffer): Buffer | undefined {
    start = Buffer.concat([start, bytes])
    if (start.length < DATA_HEAD) return undefined
    const { size } = readHead(start, 0)
    if (start.length < size + DATA_HEAD) return undefined
    rest = readFragment(start.subarray(0, size))
    return start.subarray(size + readHead(start, size).head)
  }

  function encrypt(from: Fragment, { samples, bytes }: Next): [Buffer, Buffer] {
    let at = 0
    const parts = samples.map((sample) => {
      at += sample.bytes
      return encryptSample(bytes.subarray(at - sample.bytes, at), layout, key, iv)
    })
    return [writeHead({ ...from, samples }, layout.kind === 'whole' ? undefined : parts), bytes]
  }

  return {
    update(bytes) {
      let left = rest === undefined ? readStart(bytes) : bytes
      const made: Buffer[] = []
      while (rest !== undefined && left !== undefined && rest.samples.length > 0) {
        next ??= nextOf(rest.samples)
        const taken = left.copy(next.bytes, next.held)
        left = left.subarray(taken)
        next.held += taken
        if (next.held < next.bytes.length) break
        made.push(...encrypt(rest, next))
        const { samples, duration } = next
        rest = { ...rest, time: rest.time + BigInt(duration), samples: rest.samples.slice(samples.length) }
        next = undefined
      }
      return Buffer.concat(made)
    },
    final() {
      if (rest === undefined || rest.samples.length > 0) throw new Error('a packed segment has no end')
      return Buffer.alloc(0)
    },
  }
}

/** The samples of the next fragment, and room for their bytes. */
function nextOf(samples: readonly Sample[]): Next {
  let [count, bytes, duration] = [0, 0, 0]
  for (const sample of samples) {
    if (count === SAMPLES_MAX || bytes >= FRAGMENT_BYTES) break
    count += 1
    bytes += sample.bytes
    duration += sample.duration
  }
  if (bytes > HELD_MAX) throw new Error('a sample is larger than a segment')
  return { samples: samples.slice(0, count), bytes: Buffer.allocUnsafeSlow(bytes), held: 0, duration }
}

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { BufferSource, Input, MP4 } from 'mediabunny'
import { packPart } from '#rights/packing/part.process.ts'
import { aFilm, openFilm, packetsOf } from '#test/media.ts'
import { sha256 } from '#test/uploads.ts'
import { encryptSample } from './blocks.secrets.ts'
import { findBox } from './boxes.rules.ts'
import { createSampleCipher } from './cipher.files.ts'
import { hasSamples, layoutOf, protectInit } from './init.rules.ts'

const folder = await mkdtemp(join(tmpdir(), 'licet-samples-'))
after(() => rm(folder, { recursive: true, force: true }))

const [key, keyId, iv] = [randomBytes(16), randomBytes(16), randomBytes(16)]

const film = await aFilm()
const path = join(folder, 'film.mp4')
await writeFile(path, film)
const packed = await packPart({ path, folder, number: 0, from: 0, bytesMax: 1e9 })

/** The beginning of a packed track, and its segments. */
async function trackOf(id: string) {
  const described = packed.described.find((each) => each.id === id)
  const made = packed.tracks.find(({ track }) => track === id)
  assert.ok(described && made)
  const bytes = await readFile(join(folder, made.file))
  const init = Buffer.from(described.init, 'base64')
  return { described, init, segments: made.segments.map(([at, length]) => bytes.subarray(at, at + length)) }
}

/** Encrypts segments as they are sent, from pieces of any size. */
function encryptAll(init: Buffer, segments: readonly Buffer[], pieceBytes: number): Buffer[] {
  return segments.map((segment) => {
    const cipher = createSampleCipher(layoutOf(init), key, iv)
    const sent: Buffer[] = []
    for (let at = 0; at < segment.length; at += pieceBytes) {
      // Who reads files uses the memory of a piece again for the next one.
      const piece = Buffer.from(segment.subarray(at, at + pieceBytes))
      sent.push(cipher.update(piece))
      piece.fill(0)
    }
    return Buffer.concat(sent.concat(cipher.final()))
  })
}

/** Another program, which knows nothing of ours, decrypts what it is sent. */
function decryptedBy(resolved: Buffer, bytes: Buffer): Input {
  const formatOptions = { isobmff: { resolveKeyId: () => resolved } }
  return new Input({ source: new BufferSource(bytes), formats: [MP4], formatOptions })
}

async function framesOf(input: Input, id: string): Promise<string[]> {
  const track = id === 'v' ? await input.getPrimaryVideoTrack() : await input.getPrimaryAudioTrack()
  assert.ok(track)
  const packets = await packetsOf(track)
  return packets.map(({ timestamp, duration, type, data }) =>
    [Math.round(timestamp * 1000), Math.round(duration * 1000), type, sha256(data)].join(' '),
  )
}

describe('samples that are encrypted on their way out', () => {
  for (const id of ['v', 'a0'])
    for (const pieceBytes of [997, 1_048_576])
      test(`of the track ${id} are decrypted by another program, from pieces of ${pieceBytes} bytes`, async () => {
        const { init, segments } = await trackOf(id)
        const sent = encryptAll(init, segments, pieceBytes)
        const bytes = Buffer.concat([protectInit(init, keyId, iv), ...sent])
        const clear = await framesOf(openFilm(Buffer.concat([init, ...segments])), id)
        assert.ok(clear.length > 100)
        assert.deepEqual(await framesOf(decryptedBy(key, bytes), id), clear)
        const wrong = await framesOf(decryptedBy(randomBytes(16), bytes), id)
        const same = wrong.filter((frame, index) => frame === clear[index])
        assert.ok(same.length < clear.length / 20, `${same.length} of ${clear.length} frames are clear`)
      })

  test('are of codecs that have samples, and of no others', async () => {
    const { described } = await trackOf('v')
    assert.ok(hasSamples(described))
    for (const codecs of ['hvc1.1.6.L93.B0', 'mp4a.40.2', 'opus', 'flac'])
      assert.ok(hasSamples({ codecs, format: 'mp4' }))
    for (const codecs of ['vp09.00.10.08', 'av01.0.04M.08']) assert.ok(!hasSamples({ codecs, format: 'mp4' }), codecs)
    assert.ok(!hasSamples({ codecs: 'mp4a.40.34', format: 'mp3' }))
  })
})

const AVC = { kind: 'units', codec: 'avc', lengthBytes: 4 } as const
const HEVC = { kind: 'units', codec: 'hevc', lengthBytes: 4 } as const

function unit(first: number, bytes: number): Buffer {
  const made = Buffer.alloc(4 + bytes, 7)
  made.writeUInt32BE(bytes)
  made.writeUInt8(first, 4)
  return made
}

const sizeOf = (parts: readonly (readonly [number, number])[]) => parts.reduce((sum, [a, b]) => sum + a + b, 0)

describe('a sample', () => {
  test('has its pictures encrypted, and not what says how to decode them', () => {
    const [picture, settings] = [unit(0x65, 400), unit(0x67, 400)]
    assert.deepEqual(encryptSample(Buffer.concat([settings, picture]), AVC, key, iv), [[404 + 36, 368]])
    const hevc = [unit(0x26, 400), unit(0x40, 400)]
    assert.deepEqual(encryptSample(Buffer.concat(hevc), HEVC, key, iv), [
      [36, 368],
      [404, 0],
    ])
  })

  test('has one block of ten encrypted, each chained to the one before', () => {
    const sample = unit(0x65, 32 + 352)
    const before = Buffer.from(sample)
    encryptSample(sample, AVC, key, iv)
    const changed = Array.from({ length: 22 }, (_, block) => 36 + 16 * block).filter(
      (at) => !sample.subarray(at, at + 16).equals(before.subarray(at, at + 16)),
    )
    assert.deepEqual(changed, [36, 196, 356])
    assert.ok(!sample.subarray(36, 52).equals(sample.subarray(196, 212)))
  })

  test('that was made to harm is sent as it is, in the time that it takes to read it', () => {
    const many = Buffer.concat(Array.from({ length: 500 }, () => unit(0x65, 100)))
    const harmful = {
      'a unit that is larger than the sample': Buffer.concat([
        unit(0x65, 400),
        Buffer.from([255, 255, 255, 255, 0x65]),
      ]),
      'units of nothing': Buffer.alloc(100_000),
      'half a length': Buffer.from([0, 0]),
      'a length and nothing else': Buffer.from([0, 0, 0, 1]),
      nothing: Buffer.alloc(0),
      'more pictures than a list can name': many,
      'a clear unit that is longer than a list can say': Buffer.concat([unit(0x06, 200_000), unit(0x65, 400)]),
    }
    for (const [name, bytes] of Object.entries(harmful))
      for (const layout of [AVC, HEVC, { kind: 'whole' } as const]) {
        const sample = Buffer.from(bytes)
        const parts = encryptSample(sample, layout, key, iv)
        assert.equal(sample.length, bytes.length, name)
        assert.ok(parts.length <= 42, `${name}: ${parts.length}`)
        if (layout.kind === 'units') assert.equal(sizeOf(parts), bytes.length, name)
        assert.ok(
          parts.every(([clear]) => clear <= 0xffff),
          name,
        )
      }
  })
})

describe('a segment', () => {
  test('that has no end is not sent as if it had one', async () => {
    const { init, segments } = await trackOf('v')
    const [whole = Buffer.alloc(0)] = segments
    const cipher = createSampleCipher(layoutOf(init), key, iv)
    cipher.update(whole.subarray(0, -1))
    assert.throws(() => cipher.final(), /has no end/)
  })

  test('whose boxes lie is refused, and takes no memory for it', async () => {
    const { init, segments } = await trackOf('v')
    const [whole = Buffer.alloc(0)] = segments
    const run = findBox(whole, ['moof', 'traf', 'trun'])
    const poke = (at: number, value: number) => {
      const copy = Buffer.from(whole)
      copy.writeUInt32BE(value, at)
      return copy
    }
    const lying = {
      'a run that leaves its fragment': poke(run.at, 0x7fff_ffff),
      'a run without a size': poke(run.at, 0),
      'a run of very many samples': poke(run.content + 4, 0xffff_ffff),
      'a sample that is larger than any segment': poke(run.content + 16, 0xffff_ffff),
    }
    for (const [name, bytes] of Object.entries(lying))
      assert.throws(
        () => {
          const cipher = createSampleCipher(layoutOf(init), key, iv)
          cipher.update(bytes)
          cipher.final()
        },
        Error,
        name,
      )
  })
})

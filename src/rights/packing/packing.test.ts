import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createLimitedProcess, ProcessEnded } from '#platform/processes/limited-process.ts'
import { packMissing } from '#rights/content-files/packing.commands.ts'
import { craftedFilms, endlessFilms } from '#test/crafted-films.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aFilm, aWave, demoTrack, openFilm, packetsOf } from '#test/media.ts'
import { aProduct, sha256, someVideo, upload } from '#test/uploads.ts'
import { requestPacking } from './commands.ts'
import { PACKING_FAULTS } from './faults.facts.ts'
import { PACKER, packLocally } from './pack.files.ts'
import { createPacker } from './pack.worker.ts'
import { findPackedFile, findPackedOf, readParts } from './queries.ts'
import type { PackedFileState, PackedPart } from './state.ts'

const service = useService()

type Fields = Parameters<typeof upload>[4]

/** A file of a protected product that was uploaded, after the worker has packed it. */
async function packed(bytes: Buffer, fields: Fields = {}, shop?: Shop) {
  const of = shop ?? (await service.openShop())
  const product = await aProduct(of, { drm_protected: true })
  const { id } = await upload(service, of, product, bytes, fields)
  await service.runJobs()
  return { shop: of, product, file: (await of.get(`/api/files/${id}.json`)).body.file }
}

async function storedOf({ companyId }: Shop): Promise<PackedFileState> {
  const { id } = await service.db
    .selectFrom('packed_files')
    .select('id')
    .where('company_id', '=', companyId)
    .executeTakeFirstOrThrow()
  const file = await findPackedFile(service.db, companyId, id)
  assert.ok(file)
  return file
}

const partsOf = ({ company_id, id }: PackedFileState) => readParts(service.db, company_id, id)

/** The film that a player puts together from the segments of a track, and how long they say that they are. */
async function assemble(file: PackedFileState, parts: readonly PackedPart[], id: string) {
  const track = file.tracks?.find((each) => each.id === id)
  assert.ok(track, `there is no track ${id}`)
  const pieces: Buffer[] = [Buffer.from(track.init, 'base64')]
  let seconds = 0
  for (const part of parts)
    for (const { track: of, key, segments } of part.tracks) {
      if (of !== id) continue
      const bytes = await service.files.read(key)
      assert.ok(bytes)
      for (const [at, length, duration] of segments) {
        const segment = bytes.subarray(at, at + length)
        assert.equal(segment.length, length)
        if (track.format === 'mp4') assert.equal(segment.toString('latin1', 4, 8), 'moof')
        pieces.push(segment)
        seconds += duration
      }
    }
  return { bytes: Buffer.concat(pieces), seconds }
}

async function framesOf(film: Buffer, kind: 'video' | 'audio', index = 0) {
  const input = openFilm(film)
  const tracks = kind === 'video' ? await input.getVideoTracks() : await input.getAudioTracks()
  const track = tracks[index]
  assert.ok(track, `there is no ${kind} ${index}`)
  const packets = await packetsOf(track)
  return packets.map(({ timestamp, data }) => `${Math.round(timestamp * 1000)} ${sha256(data)}`)
}

describe('a film of a protected product', () => {
  test('is packed after its upload, with every picture and all sound', async () => {
    const film = await aFilm({ times: 2, languages: ['eng', 'deu'] })
    const { shop, file } = await packed(film)
    assert.deepEqual(file.packing, { status: 'ready', progress: 100, fault: null })
    const stored = await storedOf(shop)
    const parts = await partsOf(stored)
    assert.deepEqual(
      stored.tracks?.map(({ id, kind, language, name, width }) => [id, kind, language, name, width]),
      [
        ['v', 'video', '', '', 1280],
        ['a0', 'audio', 'en', 'Sound eng', null],
        ['a1', 'audio', 'de', 'Sound deu', null],
      ],
    )
    const video = await assemble(stored, parts, 'v')
    assert.deepEqual(await framesOf(video.bytes, 'video'), await framesOf(film, 'video'))
    assert.ok(Math.abs(video.seconds - 56) < 0.2, String(video.seconds))
    const audio = await assemble(stored, parts, 'a1')
    assert.deepEqual(await framesOf(audio.bytes, 'audio'), await framesOf(film, 'audio', 1))
    assert.ok(Math.abs(audio.seconds - 56) < 0.2, String(audio.seconds))
    const seconds = parts.flatMap((part) => part.tracks.flatMap(({ segments }) => segments.map(([, , each]) => each)))
    assert.ok(Math.max(...seconds) <= 6, `a segment takes ${Math.max(...seconds)} s`)
  })

  test('goes on after the worker was killed, and nothing is packed twice', async () => {
    const shop = await service.openShop()
    const film = await aFilm({ times: 3, container: 'mkv' })
    const whole = await aFilm({ times: 3 })
    const source = { company_id: shop.companyId, source_key: `content/${shop.companyId}/long`, size: film.length }
    await service.files.put(source.source_key, film)
    await inTransaction(service.db, (tx) => requestPacking(tx, source, nowInSeconds(service.clock)))
    const { id } = await storedOf(shop)
    const options = { ...service }
    const job = { id: 1, kind: 'packed-file/part', companyId: shop.companyId, data: { id }, attempts: 1 }
    const few = createPacker(options, { bytesMax: 400_000 })
    await few.run(job)
    const begun = await storedOf(shop)
    assert.equal(begun.state, 'pending')
    assert.ok(begun.packed_seconds > 5 && begun.packed_seconds < 60, String(begun.packed_seconds))
    assert.equal((await partsOf(begun)).length, 1)
    // A worker that was taken for dead packs the same part as its successor.
    await Promise.all([
      createPacker(options, { bytesMax: 400_000 }).run(job),
      createPacker(options, { bytesMax: 400_000 }).run(job),
    ])
    assert.deepEqual(
      (await partsOf(begun)).map(({ number }) => number),
      [0, 1],
    )
    await service.runJobs()
    const done = await storedOf(shop)
    assert.equal(done.state, 'ready')
    const { bytes, seconds } = await assemble(done, await partsOf(done), 'v')
    assert.deepEqual(await framesOf(bytes, 'video'), await framesOf(whole, 'video'))
    assert.ok(Math.abs(seconds - 84) < 0.3, String(seconds))
    const sound = await assemble(done, await partsOf(done), 'a0')
    const hashes = (frames: string[]) => frames.map((frame) => frame.split(' ')[1])
    assert.deepEqual(hashes(await framesOf(sound.bytes, 'audio')), hashes(await framesOf(whole, 'audio')))
  })

  test('is fetched piece by piece where its bytes are not on the local disk', async () => {
    const shop = await service.openShop()
    const film = await aFilm()
    const source = { company_id: shop.companyId, source_key: `content/${shop.companyId}/far`, size: film.length }
    await service.files.put(source.source_key, film)
    await inTransaction(service.db, (tx) => requestPacking(tx, source, nowInSeconds(service.clock)))
    const { id } = await storedOf(shop)
    const { localPath: _local, ...far } = service.files
    const options = {
      ...service,
      files: far,
    }
    await createPacker(options).run({
      id: 1,
      kind: 'packed-file/part',
      companyId: shop.companyId,
      data: { id },
      attempts: 1,
    })
    const done = await storedOf(shop)
    assert.equal(done.state, 'ready')
    const { bytes } = await assemble(done, await partsOf(done), 'v')
    assert.deepEqual(await framesOf(bytes, 'video'), await framesOf(film, 'video'))
  })
})

test('a recording in MP3 is packed as it is', async () => {
  const track = await demoTrack()
  const { shop, file } = await packed(track, { name: 'track.mp3' })
  assert.equal(file.packing.status, 'ready')
  const stored = await storedOf(shop)
  const { bytes, seconds } = await assemble(stored, await partsOf(stored), 'a0')
  assert.equal(stored.tracks?.[0]?.codecs, 'mp4a.40.34')
  assert.ok(track.includes(bytes), 'the frames are those of the recording')
  assert.ok(Math.abs(seconds - 8) < 0.2, String(seconds))
})

describe('what is not packed', () => {
  const faultOf = async (bytes: Buffer, name = 'film.mp4') => {
    const { file, shop } = await packed(bytes, { name })
    assert.equal(file.status, 'ready', 'it is still sold as a file')
    assert.equal(file.packing.status, 'failed')
    assert.deepEqual(await partsOf(await storedOf(shop)), [])
    assert.ok(file.packing.fault.message.length > 20)
    return [file.packing.fault.reason, file.packing.fault.codec]
  }

  test('says why, and names the codec', async () => {
    assert.deepEqual(await faultOf(aWave(), 'voice.wav'), ['audio_codec', 'pcm-s16'])
    assert.deepEqual(await faultOf(await aFilm({ withoutKeys: true })), ['few_key_frames', null])
    assert.deepEqual(await faultOf(someVideo()), ['no_media', null])
  })

  test('is what belongs to a product without protection, or is for everybody', async () => {
    const shop = await service.openShop()
    const free = await upload(service, shop, await aProduct(shop), await aFilm())
    assert.equal(free.packing, null)
    assert.equal((await packed(await aFilm(), { role: 'trailer' }, shop)).file.packing, null)
  })

  test('is a playlist that names other files of the machine', async () => {
    const path = join(service.uploadFolder, 'list.mp4')
    await writeFile(path, `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n`)
    const answer = await packLocally({ path, folder: service.uploadFolder, number: 0, from: 0, bytesMax: 1e9 })
    assert.deepEqual(answer, { kind: 'refused', fault: 'no_media', codec: null })
  })
})

describe('a film that was made to harm', () => {
  const requestOf = async (bytes: Buffer) => {
    const path = join(service.uploadFolder, 'crafted.mp4')
    await writeFile(path, bytes)
    return { path, folder: service.uploadFolder, number: 0, from: 0, bytesMax: 1e9 }
  }

  test('is refused in words, or packed as far as it is whole, and the next film is packed by the same process', async () => {
    const film = await aFilm()
    const refused: string[] = []
    for (const [name, bytes] of craftedFilms(film)) {
      const answer = await packLocally(await requestOf(bytes))
      if (answer.kind === 'packed') assert.ok(answer.duration < 60, name)
      assert.notEqual(answer.kind, 'ended', name)
      if (answer.kind === 'refused') refused.push(answer.fault)
      if (answer.kind === 'refused') assert.ok(answer.fault in PACKING_FAULTS && answer.fault !== 'too_complex', name)
    }
    assert.ok(refused.length > 15, refused.join())
    assert.equal((await packLocally(await requestOf(film))).kind, 'packed')
  })

  test('ends its process within the limits if it is endless', async () => {
    const limited = createLimitedProcess({ ...PACKER, timeoutMs: 4000 })
    for (const [name, bytes] of endlessFilms(await aFilm())) {
      const request = await requestOf(bytes)
      await assert.rejects(
        limited.ask(async () => request),
        (error) => error instanceof ProcessEnded,
        name,
      )
    }
  })

  test('says why in the shop, where it is still sold as a file', async () => {
    const [damaged] = craftedFilms(await aFilm()).filter(([name]) => name.startsWith('a track that leads out'))
    const { file } = await packed(damaged?.[1] ?? Buffer.alloc(0))
    assert.partialDeepStrictEqual(file.packing, { status: 'failed', fault: { reason: 'damaged' } })
  })
})

test('what was packed is deleted with the last file that has its bytes', async () => {
  const { shop, file } = await packed(await aFilm())
  const stored = await storedOf(shop)
  const [part] = await partsOf(stored)
  const key = part?.tracks[0]?.key ?? ''
  assert.ok(await service.files.exists(key))
  assert.equal((await shop.delete(`/api/files/${file.id}.json`)).status, 200)
  await service.runJobs()
  assert.equal(await service.files.exists(key), false)
  assert.equal(await findPackedOf(service.db, stored), undefined)
})

test('files that were uploaded before there was packing are packed later', async () => {
  const { shop, file } = await packed(await aFilm())
  await service.db.deleteFrom('packed_files').where('company_id', '=', shop.companyId).execute()
  await packMissing(service.db, nowInSeconds(service.clock))
  assert.equal((await shop.get(`/api/files/${file.id}.json`)).body.file.packing.status, 'pending')
  await service.runJobs()
  assert.equal((await shop.get(`/api/files/${file.id}.json`)).body.file.packing.status, 'ready')
})

import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdir, open, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { KvStore, Locker, Server, ServerOptions, Upload } from '@tus/server'
import { Problem } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import { createFile } from '../commands.ts'
import { fileTooLarge, uploadInParts, uploadNotFound } from '../errors.ts'
import type { FileInput } from '../schema.ts'
import { abandonUpload, declareSize } from './commands.ts'
import { type FinishOptions, finishUpload } from './finish.commands.ts'
import { createUploadHashes } from './hashes.files.ts'
import { type HeldLease, holdUpload } from './lease.commands.ts'
import { companyOf, findUpload, type UploadState } from './queries.ts'
import { receiveBody } from './receive.files.ts'

export type UploadOptions = FinishOptions & {
  bytesMax: number
  /** Reads the metadata of an upload as the body of a create is read. */
  readInput: (metadata: Record<string, string | null | undefined>, size: number | undefined) => FileInput
  onDefect: (error: unknown) => void
}

export type Uploads = {
  /** Answers a request of the tus protocol for the author's company. */
  handle(author: Author, request: IncomingMessage, response: ServerResponse): Promise<void>
}

type TusRequest = Parameters<NonNullable<ServerOptions['onIncomingRequest']>>[0]

/** What the hooks of the tus server know of the request that they work for. */
type Context = {
  author: Author
  created?: string
  /** The request whose body is written past the tus server. */
  body?: IncomingMessage
  /** Given when another request wants the upload, or when the connection broke. */
  signal?: AbortSignal
}

/** Uploads that can be resumed, by the tus protocol 1.0. */
export function createUploads(options: UploadOptions): Uploads {
  const { db, change, folder, bytesMax, now } = options
  const hashes = createUploadHashes()
  const contexts = new AsyncLocalStorage<Context>()
  let started: Promise<Server> | undefined

  function context(): Context {
    const found = contexts.getStore()
    if (found === undefined) throw new Error('a request of the tus protocol lost its context')
    return found
  }

  /** An upload of another company is as unknown as one that never was. */
  async function checkOwner(_request: TusRequest, uploadId: string): Promise<void> {
    const { author, created } = context()
    if (created === uploadId) return
    if (companyOf(uploadId) !== author.companyId || (await findUpload(db, uploadId)) === undefined)
      throw uploadNotFound()
  }

  /** The file is created before its upload, which is named after it. */
  async function nameUpload(request: TusRequest, metadata: Record<string, string | null> = {}): Promise<string> {
    const length = request.headers.get('upload-length')
    const size = length === null ? undefined : Number(length)
    if (size !== undefined && size > bytesMax) throw fileTooLarge(bytesMax)
    const input = options.readInput(metadata, size)
    const { state } = await change((tx) => createFile(tx, context().author, input, now(context().author.companyId)))
    if (state.upload_id === null) throw new Error('a new file has no upload')
    context().created = state.upload_id
    return state.upload_id
  }

  /** Writes the body of the request of this context. Returns where in the file it ends. */
  async function writeBody(uploadId: string, start: number, tooLong: object): Promise<number> {
    const { body: request, signal } = context()
    if (request === undefined || signal === undefined) throw new Error('an upload is written while its lease is held')
    const size = (await findUpload(db, uploadId))?.size ?? bytesMax
    const hash = hashes.take(uploadId, start)
    const file = await open(join(folder, uploadId), 'r+')
    try {
      const { end, isTooLong } = await receiveBody({ request, file, start, bytesMax: size - start, signal, hash })
      if (hash !== undefined) hashes.keep(uploadId, end, hash)
      if (isTooLong) throw tooLong
      return end
    } finally {
      await file.close()
    }
  }

  /** Loaded with the first upload: a start does not need it. */
  async function start(): Promise<Server> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const [tus, { FileStore }] = await Promise.all([import('@tus/server'), import('@tus/file-store')])
    const datastore = new FileStore({ directory: folder, configstore: createStore(options) })
    // Uploads end by themselves, which no client has to know.
    datastore.extensions = datastore.extensions.filter((name) => name !== 'expiration')
    const writeStream = datastore.write.bind(datastore)
    datastore.write = (stream, id, offset) => {
      if (context().body === undefined) return writeStream(stream, id, offset)
      stream.resume()
      return writeBody(id, offset, tus.ERRORS.ERR_MAX_SIZE_EXCEEDED)
    }
    return new tus.Server({
      path: '/api/files/uploads',
      datastore,
      locker: createLocker(options, (signal) => {
        context().signal = signal
      }),
      lockDrainTimeout: 1000,
      maxSize: bytesMax,
      generateUrl: (request, { id }) => `${new URL(request.url).pathname}/${id}`,
      namingFunction: nameUpload,
      onIncomingRequest: checkOwner,
      async onUploadFinish(_request, { id, size }) {
        await finishUpload(options, id, hashes.finish(id, size))
        return {}
      },
      onResponseError: (_request, error) => answerTo(error, options.onDefect),
    })
  }

  function server(): Promise<Server> {
    started ??= start()
    return started
  }

  return {
    async handle(author, request, response) {
      const tus = await server()
      if (request.method !== 'PATCH') return contexts.run({ author }, () => tus.handle(request, response))
      // The tus server gets the head alone: its streams cost more than writing and hashing the body.
      const answer = await contexts.run({ author, body: request }, () => tus.handleWeb(headOf(request, response)))
      await sendAnswer(answer, response)
    },
  }
}

/** A request without its body. The tus server ends its work when the connection of `runtime` breaks. */
function headOf(request: IncomingMessage, response: ServerResponse): Request {
  const headers = new Headers()
  for (const [name, value = ''] of Object.entries(request.headers)) headers.set(name, String(value))
  const head = new Request(new URL(request.url ?? '/', 'http://localhost'), { method: 'PATCH', headers })
  return Object.assign(head, { runtime: { name: 'node', node: { req: request, res: response } } })
}

async function sendAnswer(answer: Response, response: ServerResponse): Promise<void> {
  for (const [name, value] of answer.headers) response.setHeader(name, value)
  response.statusCode = answer.status
  response.end(await answer.text())
}

/** Makes room for the bytes of a file that was not created by the protocol. */
export async function prepareUpload(folder: string, uploadId: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, uploadId), '', { flag: 'a', mode: 0o600 })
}

/** What the tus server knows of an upload comes from its row. */
function createStore({ db, change }: UploadOptions): KvStore<Upload> {
  return {
    async get(id) {
      const upload = await findUpload(db, id)
      return upload === undefined ? undefined : asTus(upload)
    },
    async set(id, { size }) {
      if (size !== undefined) await change((tx) => declareSize(tx, id, size))
    },
    async delete(id) {
      await change((tx) => abandonUpload(tx, id))
    },
  }
}

function asTus({ id, size, file, touched_at }: UploadState): Upload {
  return {
    id,
    size: size ?? undefined,
    offset: 0,
    metadata: { filename: file.name, role: file.role, language: file.language },
    creation_date: touched_at.toISOString(),
    storage: undefined,
    sizeIsDeferred: size === null,
  }
}

function createLocker(options: UploadOptions, onLocking: (signal: AbortSignal) => void): Locker {
  return {
    newLock(id) {
      let held: HeldLease | undefined
      return {
        async lock(signal, cancel) {
          onLocking(signal)
          held = await holdUpload(options, id, { signal, onWanted: () => void cancel() })
        },
        async unlock() {
          await held?.release()
        },
      }
    },
  }
}

/** The tus server blames itself if a client asks for an extension that it lacks: joining several uploads. */
const NOT_IMPLEMENTED = 501

/** The tus server answers with its own texts; ours are added for what it does not know. */
function answerTo(
  error: Error | { status_code: number; body: string },
  onDefect: (error: unknown) => void,
): { status_code: number; body: string } | undefined {
  if (error instanceof Problem) return { status_code: error.status, body: `${error.message}\n` }
  if ('status_code' in error && error.status_code === NOT_IMPLEMENTED) return answerTo(uploadInParts(), onDefect)
  const isKnown = 'status_code' in error && (error.status_code < 500 || /^Request aborted/.test(error.body))
  if (isKnown) return undefined
  onDefect(error)
  return { status_code: 500, body: 'The upload could not be stored.\n' }
}

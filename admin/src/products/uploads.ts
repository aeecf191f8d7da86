import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { DetailedError, Upload } from 'tus-js-client'
import { api, companyHeader } from '../api.ts'
import { problemText } from '../ui/problem.tsx'
import { type ContentFile, filesQuery } from './queries.ts'

/** A file on its way. It goes on while other screens are open, and after the line was lost. */
export type Sending = {
  key: number
  /** The file of the product that gets the bytes, once it is known. */
  fileId?: number
  productId: string
  name: string
  size: number
  sent: number
  /** Bytes per second in the last few seconds; undefined while too little has been sent to say. */
  speed?: number | undefined
  state: 'sending' | 'waiting' | 'paused' | 'failed'
  problem?: string | undefined
  stop: () => void
  pause?: () => void
  /** Sends what is missing, and nothing twice. */
  resume?: () => void
}

let sendings: readonly Sending[] = []
let lastKey = 0
const hearers = new Set<() => void>()

function change(next: readonly Sending[]): void {
  sendings = next
  for (const hear of hearers) hear()
}

const update = (key: number, part: Partial<Sending>) =>
  change(sendings.map((each) => (each.key === key ? { ...each, ...part } : each)))

const remove = (key: number) => change(sendings.filter((each) => each.key !== key))

function subscribe(hear: () => void): () => void {
  hearers.add(hear)
  return () => hearers.delete(hear)
}

/** What is on its way for a product. */
export function useSendings(productId: string): readonly Sending[] {
  return useSyncExternalStore(subscribe, () => sendings).filter((each) => each.productId === productId)
}

/** The service names the address for apps; signed-in users have their own. */
const forUsers = (url: string) =>
  new URL(new URL(url).pathname.replace(/^\/api\//, '/admin/api/'), location.origin).href

/** Waits longer each time, up to ten seconds, and gives up after minutes: then somebody decides when it goes on. */
const DELAYS_MS = [0, 1000, 3000, 5000, ...Array.from({ length: 30 }, () => 10_000)]

/** What the browser remembers of an upload that it has begun. Another file has another size, or was changed at another time. */
type Begun = Pick<File, 'name' | 'size' | 'lastModified'> & { sent: number }

const memoryOf = (fileId: number) => `licet upload ${fileId}`

function remember(fileId: number, { name, size, lastModified }: File, sent: number): void {
  const begun: Begun = { name, size, lastModified, sent }
  localStorage.setItem(memoryOf(fileId), JSON.stringify(begun))
}

/** The upload of a file as this browser began it; undefined if another one did. */
export function begunUpload(fileId: number): Begun | undefined {
  const text = localStorage.getItem(memoryOf(fileId))
  return text === null ? undefined : (JSON.parse(text) as Begun)
}

/** Is a file the one whose upload was begun? One that only has the same name is another file. */
export function isSameFile(file: File, begun: Begun): boolean {
  return file.name === begun.name && file.size === begun.size && file.lastModified === begun.lastModified
}

/** The upload of the same file that this browser has begun and not finished. */
function findBegun(files: readonly ContentFile[], file: File): ContentFile | undefined {
  return files.find(({ id, status }) => {
    if (status !== 'uploading' || sendings.some(({ fileId }) => fileId === id)) return false
    const begun = begunUpload(id)
    return begun !== undefined && isSameFile(file, begun)
  })
}

const WINDOW_MS = 5000

/** How fast bytes are on their way, over the last few seconds: an average since the beginning would not tell of a slow line. */
function createSpeed(): (sent: number, now: number) => number | undefined {
  let samples: { sent: number; at: number }[] = []
  return (sent, now) => {
    samples = [...samples.filter(({ at }) => now - at < WINDOW_MS), { sent, at: now }]
    const [first] = samples
    if (first === undefined || now - first.at < 500) return undefined
    return ((sent - first.sent) / (now - first.at)) * 1000
  }
}

/** What the owner says about a file: the bytes do not tell. */
export type Said = { role: string; language?: string }

/** The file of the product that gets the bytes: the one that was begun before, perhaps in another tab, or a new one. */
async function findTarget(client: QueryClient, productId: string, file: File, said: Said) {
  // What this tab knows of the files may be older than what another tab has begun.
  const files = await client.fetchQuery({ ...filesQuery(productId), staleTime: 0 })
  const begun = findBegun(files, file)
  if (begun !== undefined) return { target: begun, isNew: false }
  const { name, size } = file
  const { role, language = '' } = said
  return { target: await api.files.create({ product_id: productId, name, size, role, language }), isNew: true }
}

async function send(client: QueryClient, productId: string, file: File, said: Said): Promise<void> {
  lastKey += 1
  const key = lastKey
  const isStopped = () => !sendings.some((each) => each.key === key)
  const renew = () => client.invalidateQueries({ queryKey: ['files', productId] })
  change([
    ...sendings,
    { key, productId, name: file.name, size: file.size, sent: 0, state: 'sending', stop: () => remove(key) },
  ])
  try {
    const { target, isNew } = await findTarget(client, productId, file, said)
    if (isStopped()) {
      if (isNew) await api.files.delete(target.id)
      return void renew()
    }
    if (target.upload_url === null) throw new Error('the file takes no bytes')
    if (begunUpload(target.id) === undefined) remember(target.id, file, 0)
    const upload = createUpload(key, file, { id: target.id, url: target.upload_url }, () => {
      localStorage.removeItem(memoryOf(target.id))
      remove(key)
      void renew()
      void client.invalidateQueries({ queryKey: ['products'] })
    })
    const stop = () => {
      upload.hold()
      remove(key)
      void renew()
    }
    const pause = () => {
      upload.hold()
      update(key, { state: 'paused', speed: undefined })
    }
    const resume = () => {
      update(key, { state: 'sending', problem: undefined })
      upload.start()
    }
    update(key, { fileId: target.id, stop, pause, resume })
    upload.start()
  } catch (error) {
    update(key, { state: 'failed', problem: problemText(error) })
  }
}

type Target = { id: number; url: string }

function createUpload(key: number, file: File, { id, url }: Target, onSuccess: () => void) {
  const speedOf = createSpeed()
  // `abort` does not stop an upload that is about to start, so every request asks.
  let isHeld = false
  const fail = async (error: unknown) => {
    if (isHeld) return
    if (statusIn(error) === NOT_FOUND && (await isFinished(id))) return onSuccess()
    update(key, { state: 'failed', problem: problemOf(error) })
  }
  const upload = new Upload(file, {
    uploadUrl: forUsers(url),
    headers: companyHeader(),
    chunkSize: 16 * 1024 * 1024,
    retryDelays: DELAYS_MS,
    storeFingerprintForResuming: false,
    onBeforeRequest: () => {
      if (isHeld) throw new Error('the upload is held')
    },
    onShouldRetry: (error) => {
      if (isHeld) return false
      const status = error.originalResponse?.getStatus() ?? 0
      update(key, { state: 'waiting', speed: undefined })
      return status === 0 || status === 409 || status === 423 || status === 429 || status >= 500
    },
    onProgress: (sent) => {
      if (isHeld) return
      remember(id, file, sent)
      update(key, { sent, state: 'sending', speed: speedOf(sent, performance.now()) })
    },
    onError: (error) => void fail(error),
    onSuccess,
  })
  return {
    start() {
      isHeld = false
      upload.start()
    },
    hold() {
      isHeld = true
      void upload.abort()
    },
  }
}

const NOT_FOUND = 404

/** Has another tab sent the rest of it? */
async function isFinished(id: number): Promise<boolean> {
  const file = await api.files.get(id).catch(() => undefined)
  return file !== undefined && file.status !== 'uploading'
}

/** -1 for what is no answer of the service, 0 if it did not answer. */
function statusIn(error: unknown): number {
  return error instanceof DetailedError ? (error.originalResponse?.getStatus() ?? 0) : -1
}

/** A line that stayed lost is no refusal: the rest can be sent later. */
function problemOf(error: unknown): string | undefined {
  const status = statusIn(error)
  return status === 0 || status >= 500 ? undefined : problemText(error)
}

// Other screens do not stop an upload, but closing the page does.
addEventListener('beforeunload', (event) => {
  if (sendings.some(({ state }) => state === 'sending' || state === 'waiting')) event.preventDefault()
})

/** Sends files of a product, one after the other begun, all at once on their way. */
export function useUpload(productId: string): (files: Iterable<File>, said: Said) => void {
  const client = useQueryClient()
  return (files, said) => {
    for (const file of files) void send(client, productId, file, said)
  }
}

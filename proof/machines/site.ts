import { join } from 'node:path'
import { freePort } from '#test/deployed-nginx.ts'
import { startFront } from './front.ts'
import { type Program, startProgram, statusOf, waitFor } from './processes.ts'

/** The program that runs: the folder of its sources. */
export type Release = string

export const THIS_RELEASE: Release = join(import.meta.dirname, '../..')
const READY_MS = 120_000

/** A process of the service, which can be replaced by one of another release. */
export type Member = {
  replace(release: Release): Promise<void>
}

/** Services behind nginx, and workers, that share a database. */
export type Site = {
  /** Where nginx answers. */
  url: string
  services: (Member & { url: string })[]
  workers: Member[]
  /** Starts more services, which nginx does not know. */
  addServices(count: number): Promise<{ url: string }[]>
  end(): Promise<void>
}

type Options = {
  nginx: string
  settings: NodeJS.ProcessEnv
  release: Release
  services: number
  workers: number
}

function startLicet(release: Release, args: readonly string[], settings: NodeJS.ProcessEnv): Program {
  return startProgram(process.execPath, [join(release, 'bin/licet.mjs'), ...args, '--json'], { env: settings })
}

/** Runs a command to its end. */
export async function runLicet(release: Release, args: readonly string[], settings: NodeJS.ProcessEnv): Promise<void> {
  const program = startLicet(release, args, settings)
  await waitFor(`licet ${args.join(' ')}`, () => !program.isRunning(), READY_MS)
  const code = await program.stop()
  if (code !== 0) throw new Error(`licet ${args.join(' ')} ended with ${code}: ${program.said()}`)
}

/** The port that a site will have, because the services have to know it before. */
export async function reserveUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`
}

export async function startSite(url: string, { nginx, settings, release, services, workers }: Options): Promise<Site> {
  const running: { current: Program }[] = []
  /** A process that prints a line when it runs, and is ready when `isReady` says so. */
  async function startMember(begin: (of: Release) => Program, isReady: () => Promise<boolean>): Promise<Member> {
    const begun = async (of: Release) => {
      const program = begin(of)
      await program.firstLine
      await waitFor('a process is ready', isReady, READY_MS)
      return program
    }
    const slot = { current: await begun(release) }
    running.push(slot)
    return {
      async replace(by) {
        const code = await slot.current.stop()
        if (code !== 0) throw new Error(`a process ended with ${code}: ${slot.current.said()}`)
        slot.current = await begun(by)
      },
    }
  }

  async function startService(): Promise<Site['services'][number]> {
    const port = await freePort()
    const own = `http://127.0.0.1:${port}`
    const begin = (of: Release) => startLicet(of, ['serve', '--no-worker'], { ...settings, PORT: String(port) })
    return { url: own, ...(await startMember(begin, async () => (await statusOf(`${own}/ready`)) === 200)) }
  }

  const all = await Promise.all(Array.from({ length: services }, startService))
  const others = await Promise.all(
    Array.from({ length: workers }, () =>
      startMember(
        (of) => startLicet(of, ['worker'], settings),
        async () => true,
      ),
    ),
  )
  const ports = all.map((service) => Number(new URL(service.url).port))
  const stopFront = await startFront(nginx, Number(new URL(url).port), ports)
  return {
    url,
    services: all,
    workers: others,
    addServices: (count) => Promise.all(Array.from({ length: count }, startService)),
    async end() {
      await stopFront()
      await Promise.all(running.map(({ current }) => current.stop()))
    },
  }
}

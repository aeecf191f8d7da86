import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { useDatabaseWay } from '#test/database-way.ts'
import { createDatabase } from '#test/server.ts'
import { type Program, type Settings, serversOf, start, temporaryFolder } from './program.ts'

const way = useDatabaseWay()

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Waits until a condition is true, however slow the machine is. Rejects if the program ends first. */
async function until(program: Program, condition: () => boolean | Promise<boolean>): Promise<void> {
  let ended: string | undefined
  void program.ended.then(({ code, out, err }) => {
    ended = `the service ended with ${code}: ${out}${err}`
  })
  while (!(await condition())) {
    if (ended !== undefined) throw new Error(ended)
    await sleep(5)
  }
}

async function statusOf(url: string): Promise<number> {
  try {
    const answer = await fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual' })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}

/** Starts the service, and waits for no more than its first answer that it is ready. */
async function startReady(settings: Settings) {
  const port = await freePort()
  const program = start(['serve'], { PORT: String(port), ...settings })
  const at = `http://127.0.0.1:${port}`
  const isReady = async () => (await statusOf(`${at}/ready`)) === 200
  await until(program, isReady)
  return { program, at, isReady }
}

async function stop(program: Program): Promise<void> {
  program.kill('SIGTERM')
  const { code, err } = await program.ended
  assert.equal(code, 0, err)
}

const GREETING = /is running\. Ctrl-C stops it\./

describe('a database that goes away once the service is ready', () => {
  test('ends no process at any moment of a start, nor later, and is used again when it is back', async () => {
    const database = await createDatabase()
    const DATABASE_URL = await way.open(database)
    const LICET_DATA = await temporaryFolder()
    // The first start has the most to do: it makes the demo shop.
    for (const messages of [0, 2, 25]) {
      const { program, at, isReady } = await startReady({ DATABASE_URL, LICET_DATA })
      way.cut(messages)
      await until(program, () => way.isCut)
      await until(program, async () => (await statusOf(`${at}/ready`)) === 503)
      assert.equal(await statusOf(`${at}/health`), 200)
      assert.equal(await statusOf(`${at}/shop/1000`), 503)
      way.mend()
      await until(program, isReady)
      await program.says(GREETING)
      if (messages === 25) await cutUnderLoad(program, at, isReady)
      await stop(program)
    }
    await database.drop()
  })

  test('is started again if it is the embedded one', async () => {
    const LICET_DATA = await temporaryFolder()
    const { program, at, isReady } = await startReady({ LICET_DATA })
    for (let round = 0; round < 3; round += 1) {
      const [server] = serversOf(LICET_DATA)
      assert.ok(server !== undefined)
      process.kill(server, 'SIGKILL')
      await until(program, () => !serversOf(LICET_DATA).includes(server))
      await until(program, isReady)
      if (round === 0) await program.says(GREETING)
    }
    // Each round may have taken back a shop that was half made, and its number is not given again.
    const shops = [1000, 1001, 1002, 1003].map((id) => `${at}/shop/${id}`)
    await until(program, async () => (await Promise.all(shops.map(statusOf))).includes(200))
    await stop(program)
  })
})

/** Cuts the way in the middle of pages and of the background work. */
async function cutUnderLoad(program: Program, at: string, isReady: () => Promise<boolean>): Promise<void> {
  const paths = ['/shop/1000', '/shop/1000/cart', '/shop/1000/search?q=a', '/sign-in', '/api/products.json', '/ready']
  for (const messages of [1, 4, 16, 64]) {
    way.cut(messages)
    const seen = new Set<number>()
    await until(program, async () => {
      for (const status of await Promise.all(paths.map((path) => statusOf(`${at}${path}`)))) seen.add(status)
      return way.isCut
    })
    assert.ok(![...seen].includes(500) && !seen.has(0), [...seen].join())
    way.mend()
    await until(program, isReady)
  }
  await program.says(/the database is back/)
}

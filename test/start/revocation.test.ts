import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fetchHeld } from '#test/contract.ts'
import { tryToSignIn } from '#test/people.ts'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { visit } from '#test/visitor.ts'
import { run, type Serving, serve, start, temporaryFolder, until } from './program.ts'

let database: TestDatabase

before(async () => {
  database = await createDatabase('empty')
})

after(() => database.drop())

const status = async (url: string, token: string) =>
  (await fetchHeld(`${url}/api/products.json?limit=1`, { headers: { authorization: `Bearer ${token}` } })).status

// Each process remembers who a token stands for; what another process has ended must not be remembered.
test('removing a permission ends its tokens in every process', async (context) => {
  const secret = 'a secret that two machines have in common'
  const settings = async () => ({
    LICET_DATA: await temporaryFolder(),
    DATABASE_URL: database.url,
    LICET_SECRET: secret,
    LICET_DEMO: 'on',
  })
  const first: Serving = await serve(await settings())
  const second = start(['serve', '--no-worker', '--json'], { ...(await settings()), LICET_DEMO: 'off' })
  const [, url = ''] = await second.says(/"address":"([^"]+)"/)
  const urls = [first.url, url]
  for (const each of urls) assert.equal(await status(each, first.token), 200)

  const { body } = await fetchHeld(`${first.url}/api/tokeninfo?access_token=${first.token}`).then(async (answer) => ({
    body: (await answer.json()) as { issued_to: string },
  }))
  // Both processes are kept busy with the token, so that they remember it all the while.
  const removal = run(['app', 'remove', body.issued_to, '--company', '1000'], await settings()).then((result) => ({
    ...result,
    at: Date.now(),
  }))
  const refusedAt = await Promise.all(
    urls.map(async (each) => {
      await until(`${each} refuses the token`, async () => (await status(each, first.token)) === 401)
      return Date.now()
    }),
  )
  const removed = await removal
  assert.equal(removed.code, 0, removed.err)
  const latest = Math.max(...refusedAt)
  context.diagnostic(`the last process refused the token ${removed.at - latest} ms before the command had ended`)
  for (const each of urls) assert.equal(await status(each, first.token), 401)
  first.kill('SIGTERM')
  second.kill('SIGTERM')
  assert.equal((await first.ended).code, 0)
  assert.equal((await second.ended).code, 0)
})

test('a permission that a user loses, and the end of a session, count in every process at once', async () => {
  const secret = 'a secret that two machines have in common'
  const settings = async () => ({
    LICET_DATA: await temporaryFolder(),
    DATABASE_URL: database.url,
    LICET_SECRET: secret,
    LICET_DEMO: 'off',
  })
  const first = start(['serve', '--json'], await settings())
  const second = start(['serve', '--no-worker', '--json'], await settings())
  const [, firstUrl = ''] = await first.says(/"address":"([^"]+)"/)
  const [, secondUrl = ''] = await second.says(/"address":"([^"]+)"/)
  const company = ['--name', 'Two machines', '--email', 'two@example.com', '--json']
  const created = await run(['company', 'create', ...company], await settings())
  assert.equal(created.code, 0, created.err)
  const { password } = JSON.parse(created.out)
  const visitor = visit(firstUrl)
  await tryToSignIn(visitor, { email: 'two@example.com', password })
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const ask = (path: string, url = secondUrl, method = 'GET') =>
    fetchHeld(`${url}/admin/api${path}`, { method, headers: { cookie, origin: url } })
  assert.equal((await ask('/payments.json')).status, 200)
  const { session } = (await (await ask('/session.json')).json()) as { session: { user: { id: number } } }
  const user = { permissions: { accounting: 0 } }
  const changed = await fetchHeld(`${firstUrl}/admin/api/users/${session.user.id}.json`, {
    method: 'PUT',
    headers: { cookie, origin: firstUrl, 'content-type': 'application/json' },
    body: JSON.stringify({ user }),
  })
  assert.equal(changed.status, 200)
  // No process remembers a session: the very next request is refused.
  assert.equal((await ask('/payments.json')).status, 403)
  assert.equal((await ask('/session.json', firstUrl, 'DELETE')).status, 200)
  assert.equal((await ask('/session.json')).status, 401)
  for (const each of [first, second]) each.kill('SIGTERM')
  for (const each of [first, second]) assert.equal((await each.ended).code, 0)
})

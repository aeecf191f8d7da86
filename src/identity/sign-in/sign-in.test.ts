import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PASSWORD, useService } from '#test/harness.ts'
import { watchHashing } from '#test/hashing.ts'
import { aMember, ownerOf, signedIn, signOut, tryToSignIn, turnOnSecondFactor } from '#test/people.ts'
import { anInvitedUser } from '#test/users.ts'
import { csrfTokenOn, type PageAnswer, type Visitor, visit } from '#test/visitor.ts'

const service = useService()
const hashing = watchHashing()

const SESSION = 'licet_session'

/** The cookie that a response sets, with its attributes. */
function cookieOf(answer: PageAnswer, name = SESSION): string[] {
  const line = answer.headers.getSetCookie().find((each) => each.startsWith(`${name}=`))
  return (line ?? '').split('; ').slice(1).sort()
}

/** A response without the parts that always differ: its ids, its CSRF token, and the typed values. */
function comparable({ status, headers, text }: PageAnswer, email: string) {
  const kept = [...headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name))
  const same = text.replace(/name="_csrf" value="[^"]*"/, '').replaceAll(email.replaceAll('@', '&#64;'), 'EMAIL')
  return { status, headers: kept, text: same.replaceAll(email, 'EMAIL') }
}

/** The page that a browser reaches: the admin interface, or the sign-in page. */
async function reach(visitor: Visitor, path = '/admin'): Promise<string> {
  const { status, location } = await visitor.get(path)
  return status === 200 ? 'in' : (location ?? String(status))
}

describe('a right password', () => {
  test('opens a session in a cookie that scripts and other sites cannot read', async () => {
    const shop = await service.openShop()
    const visitor = visit(service.url)
    const answer = await tryToSignIn(visitor, await ownerOf(service, shop))
    assert.equal(answer.status, 303)
    assert.equal(answer.location, '/admin')
    assert.deepEqual(cookieOf(answer), ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax'])
    assert.deepEqual(cookieOf(answer, 'licet_browser'), ['HttpOnly', 'Max-Age=31536000', 'Path=/', 'SameSite=Lax'])
    assert.match(visitor.cookies.get(SESSION) ?? '', /^[\w-]{43}$/)
    assert.equal(await reach(visitor), 'in')
  })

  test('is accepted with the email address in any case, and with spaces around it', async () => {
    const shop = await service.openShop()
    const { email, password } = await ownerOf(service, shop)
    for (const typed of [email.toUpperCase(), ` ${email} `, `\t${email}\n`]) {
      const answer = await tryToSignIn(visit(service.url), { email: typed, password })
      assert.equal(answer.location, '/admin', JSON.stringify(typed))
    }
  })

  test('continues to the requested page, through the form', async () => {
    const shop = await service.openShop()
    const visitor = visit(service.url)
    const closed = await visitor.get('/admin/settings/activity?x=1&y=ü')
    assert.equal(closed.location, `/sign-in?return_to=${encodeURIComponent('/admin/settings/activity?x=1&y=%C3%BC')}`)
    const answer = await tryToSignIn(visitor, await ownerOf(service, shop), closed.location)
    assert.equal(answer.location, '/admin/settings/activity?x=1&y=%C3%BC')
    assert.equal((await visitor.get('/sign-in?return_to=/admin/settings/apps')).location, '/admin/settings/apps')
  })

  test('stays on the service for any return address', async () => {
    const shop = await service.openShop()
    const owner = await ownerOf(service, shop)
    for (const place of ['//evil.example', '/\\evil.example', 'https://evil.example', '/.//evil.example']) {
      const visitor = visit(service.url)
      const page = `/sign-in?return_to=${encodeURIComponent(place)}`
      assert.equal((await tryToSignIn(visitor, owner, page)).location, '/admin', place)
      assert.equal((await visitor.get(page)).location, '/admin', place)
    }
    const answer = await tryToSignIn(visit(service.url), owner, '/sign-in?return_to=/admin/settings/apps&return_to=//x')
    assert.equal(answer.location, '/admin')
  })

  // Otherwise an attacker who set a cookie before could share the session afterwards.
  test('replaces the session of the browser', async () => {
    const shop = await service.openShop()
    const owner = await ownerOf(service, shop)
    const visitor = visit(service.url)
    visitor.cookies.set(SESSION, 'planted-by-somebody-else')
    await tryToSignIn(visitor, owner)
    const first = visitor.cookies.get(SESSION)
    assert.notEqual(first, 'planted-by-somebody-else')
    const other = visit(service.url)
    other.cookies.set(SESSION, 'planted-by-somebody-else')
    assert.match(await reach(other), /^\/sign-in/)
    await signOut(visitor)
    await tryToSignIn(visitor, owner)
    assert.notEqual(visitor.cookies.get(SESSION), first)
  })

  test('is stored in no table', async () => {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    for (const table of ['sessions', 'known_browsers'] as const) {
      const rows = await service.db.selectFrom(table).selectAll().where('company_id', '=', shop.companyId).execute()
      assert.equal(rows.length, 1)
      for (const token of visitor.cookies.values()) assert.ok(!JSON.stringify(rows).includes(token))
    }
  })
})

describe('a refused sign-in', () => {
  test('gets the same answer, after the same work, for every reason', async () => {
    const shop = await service.openShop()
    const owner = await ownerOf(service, shop)
    const invited = await anInvitedUser(shop)
    const disabled = await aMember(service, shop)
    assert.equal((await shop.put(`/api/users/${disabled.id}.json`, { user: { state: 'disabled' } })).status, 200)
    const cases: [string, string, string][] = [
      ['a wrong password', owner.email, 'not the password'],
      ['an unknown address', 'nobody@example.com', PASSWORD],
      ['a disabled user', disabled.email, disabled.password],
      ['an invited user', invited.email, PASSWORD],
      ['what is no address', 'nobody', PASSWORD],
      ['text that the database cannot store', 'a\0@example.com', PASSWORD],
    ]
    const answers = []
    for (const [what, email, password] of cases) {
      const visitor = visit(service.url)
      await visitor.get('/sign-in')
      const before = hashing.count()
      const answer = await visitor.submit('/sign-in', { email, password })
      assert.equal(hashing.count() - before, 1, what)
      assert.equal(visitor.cookies.has(SESSION), false, what)
      assert.ok(!answer.text.includes(password), what)
      answers.push(comparable(answer, email))
    }
    assert.equal(answers[0]?.status, 422)
    assert.match(answers[0]?.text ?? '', /role="alert"/)
    for (const [index, [what]] of cases.entries()) assert.deepEqual(answers[index], answers[0], what)
  })

  test('shows the typed address again, escaped', async () => {
    const typed = '"><script>alert(1)</script>@example.com'
    const answer = await tryToSignIn(visit(service.url), { email: typed, password: 'x' })
    assert.equal(answer.status, 422)
    assert.ok(!answer.text.includes('<script'))
  })

  test('with empty fields asks for them, and nothing is hashed or recorded', async () => {
    const count = () =>
      service.db
        .selectFrom('audit_entries')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    const before = { hashes: hashing.count(), audit: await count() }
    for (const typed of [
      { email: '', password: PASSWORD },
      { email: ' ', password: PASSWORD },
      { email: 'a@b', password: '' },
    ])
      assert.equal((await tryToSignIn(visit(service.url), typed)).status, 422)
    assert.deepEqual({ hashes: hashing.count(), audit: await count() }, before)
  })

  test('shows no notice for unknown words in the address', async () => {
    const plain = await visit(service.url).get('/sign-in')
    for (const told of ['__proto__', 'constructor', 'toString', 'x', 'out&told=out']) {
      const page = await visit(service.url).get(`/sign-in?told=${told}`)
      assert.equal(page.status, 200)
      assert.deepEqual(comparable(page, 'x@x').text, comparable(plain, 'x@x').text, told)
    }
    assert.match((await visit(service.url).get('/sign-in?told=out')).text, /role="status"/)
  })
})

describe('the password of an account with a second factor', () => {
  test('opens only the page for the second factor', async () => {
    const shop = await service.openShop()
    await turnOnSecondFactor(service, await signedIn(service, shop))
    const visitor = visit(service.url)
    const answer = await tryToSignIn(visitor, await ownerOf(service, shop), '/sign-in?return_to=/admin/settings/apps')
    assert.equal(answer.location, `/sign-in/second-factor?return_to=${encodeURIComponent('/admin/settings/apps')}`)
    assert.equal(visitor.cookies.has('licet_browser'), false, 'a browser is known by who got in')
    for (const path of ['/admin', '/admin/settings/apps', '/admin/settings/activity'])
      assert.equal(await reach(visitor, path), `/sign-in?return_to=${encodeURIComponent(path)}`)
    const { companyId } = shop
    const app = await service.db.selectFrom('apps').selectAll().where('company_id', '=', companyId).executeTakeFirst()
    const prompt = `/oauth2/auth?client_id=${app?.client_id}&scope=orders&redirect_uri=https%3A%2F%2Fapp.example.com%2Fback`
    assert.match(await reach(visitor, prompt), /^\/sign-in\?return_to/)
    assert.equal((await visitor.get('/sign-in')).status, 200, 'it may start over')
    const page = await visitor.get('/sign-in/second-factor')
    assert.equal(page.status, 200)
    const token = csrfTokenOn(page)
    for (const path of ['/sign-out', prompt]) {
      const posted = await visitor.post(path, { _csrf: token, decision: 'allow' })
      assert.match(posted.location ?? '', /^\/sign-in\?return_to/, path)
    }
    const sessions = await service.db
      .selectFrom('sessions')
      .select('second_factor_due')
      .where('company_id', '=', companyId)
      .execute()
    assert.deepEqual(sessions.map((each) => each.second_factor_due).sort(), [false, true])
  })
})

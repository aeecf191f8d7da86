import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Shop, useService } from '#test/harness.ts'
import { signedIn } from '#test/people.ts'
import { aSharedCustomer, askFor, pathTo } from '#test/self-service.ts'
import { anInvitedUser, invitationTo, mailsTo } from '#test/users.ts'
import { type PageAnswer, visit } from '#test/visitor.ts'

const service = useService()
before(() => service.clock.stop())

const visitorIn = (language: string) => visit(service.url, { 'accept-language': language, accept: 'text/html' })
const heading = ({ text }: PageAnswer) => /<h1>(.*?)<\/h1>/.exec(text)?.[1]
const languageOf = ({ text }: PageAnswer) => /<html lang="(\w+)">/.exec(text)?.[1]

async function change({ userId }: Shop, values: { language: string }): Promise<void> {
  await service.db.updateTable('users').set(values).where('id', '=', userId).execute()
}

describe('before the sign-in', () => {
  const asked: [string, string, string][] = [
    ['de-AT,de;q=0.9,en;q=0.5', 'de', 'Anmelden'],
    ['pl,fr;q=0.8', 'fr', 'Connexion'],
    ['es', 'es', 'Iniciar sesión'],
    ['it-CH', 'it', 'Accedi'],
    ['pt-BR', 'pt', 'Iniciar sessão'],
    ['pl', 'en', 'Sign in'],
    ['*', 'en', 'Sign in'],
    ['de;q=0', 'en', 'Sign in'],
  ]
  for (const [header, language, title] of asked)
    test(`the browser decides on the language (${header})`, async () => {
      const page = await visitorIn(header).get('/sign-in')
      assert.deepEqual([languageOf(page), heading(page)], [language, title])
    })

  test('mistakes are explained in that language', async () => {
    const visitor = visitorIn('de')
    await visitor.get('/sign-in')
    const missing = await visitor.submit('/sign-in', { email: '', password: '' })
    assert.match(missing.text, /role="alert">Geben Sie Ihre E-Mail-Adresse und Ihr Passwort ein\.</)
    assert.match(missing.text, /<title>Fehler: Anmelden · Licet<\/title>/)
    await visitor.get('/reset')
    const wrong = await visitor.submit('/reset', { email: 'nobody' })
    assert.match(wrong.text, /Bitte prüfen Sie das markierte Feld\./)
    assert.match(wrong.text, /Das ist keine E-Mail-Adresse/)
  })

  test('an address without a page says so in that language, and what only developers see in English', async () => {
    const lost = await visitorIn('de').get('/nothing-here')
    assert.deepEqual([lost.status, languageOf(lost), heading(lost)], [404, 'de', 'Hier ist nichts'])
    assert.match(lost.text, /Die Adresse stimmt nicht ganz/)
    assert.match(lost.text, />Zu Ihrem Konto<\/a>/)
    const prompt = await visitorIn('de').get('/oauth2/auth?client_id=nobody')
    assert.deepEqual([prompt.status, heading(prompt)], [400, 'Das hat nicht geklappt'])
    assert.match(prompt.text, /<p lang="en">/)
  })
})

describe('a user who has signed in', () => {
  test('reads their own language, whatever the browser says', async () => {
    const shop = await service.openShop()
    await change(shop, { language: 'es' })
    const visitor = await signedIn(service, shop, { 'accept-language': 'de' })
    const page = await visitor.get('/reset')
    assert.deepEqual([languageOf(page), heading(page)], ['es', 'Restablecer la contraseña'])
  })

  test('reads the language of the browser if there are no messages in their own', async () => {
    const shop = await service.openShop()
    await change(shop, { language: 'pl' })
    const page = await (await signedIn(service, shop, { 'accept-language': 'it' })).get('/reset')
    assert.equal(languageOf(page), 'it')
  })

  test('invites others in their own language, unless they name another one', async () => {
    const shop = await service.openShop()
    await change(shop, { language: 'de' })
    const invited = await anInvitedUser(shop)
    assert.equal(invited.language, 'de')
    const [mail] = await mailsTo(service, invited.email)
    assert.match(mail?.subject ?? '', /^Einladung, .* zu führen$/)
    assert.match(mail?.html ?? '', /<html lang="de"/)
    const french = await anInvitedUser(shop, { language: 'fr' })
    assert.match((await mailsTo(service, french.email))[0]?.subject ?? '', /^Invitation à gérer /)
    const page = await visitorIn('fr').get(`/invitation/${await invitationTo(service, french.email)}`)
    assert.match(heading(page) ?? '', /^Rejoindre <bdi>/)
  })
})

test('a customer is asked for a change in the language of the account, by mail and on the page', async () => {
  const { shop, customer } = await aSharedCustomer(service)
  await service.db.updateTable('customers').set({ language: 'pt' }).where('id', '=', customer.id).execute()
  await askFor(shop, customer, { password: 'entirely fresh words' })
  const [mail] = await mailsTo(service, customer.email)
  assert.match(mail?.subject ?? '', /pede-lhe que escolha uma nova palavra-passe$/)
  const page = await visitorIn('de').get(await pathTo(service, customer.email))
  assert.deepEqual([languageOf(page), heading(page)], ['pt', 'Escolher uma nova palavra-passe'])
  const gone = await visitorIn('de').get(`/customer/${'x'.repeat(43)}`)
  assert.deepEqual([gone.status, languageOf(gone)], [410, 'de'])
})

test('the pages have a font of their own, which browsers keep', async () => {
  const { text, headers } = await visitorIn('en').get('/sign-in')
  assert.match(headers.get('content-security-policy') ?? '', /font-src 'self'/)
  const style = await fetch(new URL(/href="(\/assets\/pages-[^"]+)"/.exec(text)?.[1] ?? '', service.url))
  const faces = [...(await style.text()).matchAll(/url\((\/assets\/inter-[^)]+\.woff2)\)/g)]
  assert.equal(faces.length, 2)
  for (const [, path = ''] of faces) {
    const font = await fetch(new URL(path, service.url))
    assert.deepEqual([font.status, font.headers.get('content-type')], [200, 'font/woff2'])
    assert.match(font.headers.get('cache-control') ?? '', /immutable/)
    assert.equal(
      Buffer.from(await font.arrayBuffer())
        .subarray(0, 4)
        .toString(),
      'wOF2',
    )
  }
})

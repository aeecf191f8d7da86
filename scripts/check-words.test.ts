// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts below are source code.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkWords, checkWordsOfProject } from './check-words.ts'

const GHTML = "import { html } from 'ghtml'\n"
const VIEWS = "import { page } from './views.ts'\n"

const complaints = (path: string, text: string) => checkWords([{ path: `src/${path}`, text }])

describe('refused', () => {
  const refused: [string, string][] = [
    ['views.ts', `${GHTML}const a = html\`<h1>Sign in</h1>\``],
    ['views.ts', `${GHTML}const a = html\`<p>${'${email}'} has an account</p>\``],
    ['views.ts', `${GHTML}const a = html\`<nav aria-label="Account"></nav>\``],
    ['views.ts', `${GHTML}const a = html\`<b aria-label="${"${a ? 'This browser' : ''}"}"></b>\``],
    ['views.ts', "const field = { label: 'Name' }"],
    ['views.ts', "const TOLD = { out: 'you are out' }"],
    ['orders/links.views.ts', 'const title = `Join ${company}`'],
    ['mails.ts', "const parts = [paragraph('Hello,')]"],
    ['mails.ts', 'const subject = `${shop} asks for a password`'],
    ['routes.ts', `${VIEWS}const WRONG = 'The password is wrong.'`],
    ['platform/pages/form.ts', `${GHTML}const a = html\`<option>Choose…</option>\``],
  ]
  for (const [path, text] of refused)
    test(text.slice(text.indexOf('\n') + 1), () => assert.equal(complaints(path, text).length, 1))
})

describe('accepted', () => {
  const accepted: [string, string][] = [
    ['views.ts', `${GHTML}const a = html\`<h1 class="card row">${"${t('account.sign_in.title')}"}</h1>\``],
    ['views.ts', `${GHTML}const a = html\`<p class="${"${half ? 'field half' : 'field'}"}"></p>\``],
    ['views.ts', `${GHTML}const a = html\`<code>npm ci</code> &middot; · …\``],
    ['views.ts', "const REFUSALS = ['token exchange refused'] satisfies Action[]"],
    ['views.ts', "throw new Error('a link without a company')"],
    ['mails.ts', "const isManual = gateway === 'Manual'"],
    ['mails.ts', "const settings = await findGateway(tx, companyId, 'Manual')"],
    ['mails.ts', "type Kind = 'low stock' | 'Sold'"],
    ['routes.ts', `${VIEWS}request.log.error({ user }, 'The secret cannot be read')`],
    ['routes.ts', `${VIEWS}const Query = Type.Object({ moved: Text(1, 'Set by the service.') })`],
    ['routes.ts', `${VIEWS}app.get('/x', { schema: { summary: 'Sign a customer in' } })`],
    ['rules.ts', "const reason = 'The rules of a license'"],
    ['program/command-line/company/mails.ts', "print('There are no mails.')"],
  ]
  for (const [path, text] of accepted)
    test(text.slice(text.indexOf('\n') + 1), () => assert.deepEqual(complaints(path, text), []))
})

test('the project says everything with messages', async () => {
  assert.deepEqual(await checkWordsOfProject(), [])
})

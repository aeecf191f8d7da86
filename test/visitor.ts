import assert from 'node:assert/strict'

export type PageAnswer = { status: number; headers: Headers; text: string; location: string | undefined }

/** A browser session without script: it keeps cookies, reads the forms of the current page, and sends them. */
export type Visitor = {
  readonly cookies: Map<string, string>
  /** The service is at another address from now on. */
  moveTo(url: string): void
  get(path: string): Promise<PageAnswer>
  /** Sends the form of the last page that goes to `action`, with its values and the typed ones. */
  submit(action: string | RegExp, typed?: Record<string, string>): Promise<PageAnswer>
  /** Sends arbitrary fields. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<PageAnswer>
  /** Follows redirects within the service until there is a page. */
  follow(answer: PageAnswer): Promise<PageAnswer>
}

const ENTITY = /&#(\d+);/g
const plain = (text: string) => text.replace(ENTITY, (_match, code) => String.fromCharCode(Number(code)))

type Form = { action: string; fields: Record<string, string> }

/** The forms of a page, each with the values of its fields. */
export function formsOf(html: string): Form[] {
  return [...html.matchAll(/<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([, action = '', inside = '']) => ({
      action: plain(action),
      fields: Object.fromEntries(
        [...inside.matchAll(/<input\b[^>]*>/g)]
          .map(([input]) => input)
          .filter((input) => !/type="(radio|checkbox)"/.test(input) || /checked/.test(input))
          .map((input) => [
            plain(/ name="([^"]*)"/.exec(input)?.[1] ?? ''),
            plain(/ value="([^"]*)"/.exec(input)?.[1] ?? ''),
          ]),
      ),
    }),
  )
}

/** The CSRF token that the forms of a page carry. */
export function csrfTokenOn({ text }: PageAnswer): string {
  const [, token] = / name="_csrf" value="([^"]+)"/.exec(text) ?? []
  assert.ok(token, `there is no CSRF token on the page: ${text}`)
  return plain(token)
}

export function visit(address: string, headers: Record<string, string> = {}): Visitor {
  const cookies = new Map<string, string>()
  let url = address
  let last: PageAnswer | undefined

  async function send(method: string, path: string, body?: string, more: Record<string, string> = {}) {
    const response = await fetch(new URL(path, url), {
      method,
      redirect: 'manual',
      headers: {
        ...headers,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...more,
      },
      body: body ?? null,
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';')
      const name = pair.slice(0, pair.indexOf('='))
      if (attributes.some((attribute) => /Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(attribute))) cookies.delete(name)
      else cookies.set(name, pair.slice(pair.indexOf('=') + 1))
    }
    const location = response.headers.get('location') ?? undefined
    last = { status: response.status, headers: response.headers, text: await response.text(), location }
    return last
  }

  const visitor: Visitor = {
    cookies,
    moveTo(other) {
      url = other
    },
    get: (path) => send('GET', path),
    post: (path, fields, more) => send('POST', path, new URLSearchParams(fields).toString(), more),
    submit(action, typed = {}) {
      const forms = formsOf(last?.text ?? '')
      const form = forms.find((each) =>
        typeof action === 'string' ? each.action === action : action.test(each.action),
      )
      assert.ok(form, `there is no form for ${action} on the page: ${last?.text}`)
      return visitor.post(form.action, { ...form.fields, ...typed })
    },
    async follow(answer) {
      let at = answer
      for (let steps = 0; at.location?.startsWith('/'); steps += 1) {
        assert.ok(steps < 5, `it goes round in circles: ${at.location}`)
        at = await visitor.get(at.location)
      }
      return at
    },
  }
  return visitor
}

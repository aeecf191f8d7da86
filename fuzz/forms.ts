/** The forms of a page, as a browser without script sees them. */

export type Field = {
  name: string
  value: string
  kind: 'text' | 'hidden' | 'choice' | 'check' | 'button'
  /** The values of a choice or of a button. */
  choices: string[]
}
export type Form = { action: string; fields: Field[] }

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export function plain(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|(\w{2,4}));/g, (whole, code, name) =>
    code === undefined ? (NAMED[name] ?? whole) : String.fromCodePoint(Number(code)),
  )
}

function attribute(tag: string, name: string): string | undefined {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? []
  return value === undefined ? undefined : plain(value)
}

/** The forms that change something. */
export function formsOf(html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)]
    .filter(([, tag = '']) => /\smethod="post"/.test(tag))
    .map(([, tag = '', inside = '']) => ({ action: attribute(tag, 'action') ?? '', fields: fieldsIn(inside) }))
    .filter(({ action }) => action.startsWith('/'))
}

function fieldsIn(html: string): Field[] {
  const fields = new Map<string, Field>()
  for (const [tag, element, inside = ''] of html.matchAll(CONTROL)) {
    const name = attribute(tag, 'name')
    if (name === undefined) continue
    const field = fieldOf(tag, element ?? inputOf(tag), inside, name)
    const before = fields.get(name)
    // Radio buttons of one name are one choice.
    if (before === undefined) fields.set(name, field)
    else
      fields.set(name, {
        ...before,
        value: field.value || before.value,
        choices: [...before.choices, ...field.choices],
      })
  }
  return [...fields.values()]
}

const CONTROL = /<input\b[^>]*>|<(select|textarea|button)\b[^>]*>([\s\S]*?)<\/\1>/g

const inputOf = (tag: string) => attribute(tag, 'type') ?? 'text'

function fieldOf(tag: string, type: string, inside: string, name: string): Field {
  const value = attribute(tag, 'value') ?? ''
  const [opening = ''] = /^<[^>]*>/.exec(tag) ?? []
  if (type === 'select') {
    const options = [...inside.matchAll(/<option\b[^>]*>/g)].map(([option]) => option)
    const chosen = options.find((option) => /\sselected/.test(option)) ?? options[0] ?? ''
    const choices = options.map((option) => attribute(option, 'value') ?? '')
    return { name, kind: 'choice', value: attribute(chosen, 'value') ?? '', choices }
  }
  if (type === 'textarea') return { name, kind: 'text', value: plain(inside), choices: [] }
  if (type === 'button') return { name, kind: 'button', value: '', choices: [attribute(opening, 'value') ?? ''] }
  if (type === 'radio') return { name, kind: 'choice', value: /\schecked/.test(tag) ? value : '', choices: [value] }
  if (type === 'checkbox') return { name, kind: 'check', value: value || 'on', choices: [] }
  return { name, kind: type === 'hidden' ? 'hidden' : 'text', value, choices: [] }
}

/** The pages that a page leads to, without those of files. */
export function linksOf(html: string): string[] {
  return [...html.matchAll(/<a\b[^>]*\shref="(\/[^"#]*)"/g)].map(([, href = '']) => plain(href))
}

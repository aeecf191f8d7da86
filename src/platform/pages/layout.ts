import { html } from 'ghtml'
import { stylePath } from './style.ts'

/** Text that is HTML already. A template puts it in with `!${…}`; anything else that it puts in is escaped. */
export type Html = string

/** Where the pages of a signed-in user lead to, and which of them is shown. */
export type Navigation = { links: { href: string; text: string }[]; current: string }

export type Layout = { title: string; main: Html; navigation?: Navigation }

function navigationBar({ links, current }: Navigation): Html {
  const items = links.map(({ href, text }) =>
    href === current ? html`<a href="${href}" aria-current="page">${text}</a>` : html`<a href="${href}">${text}</a>`,
  )
  return html`<nav aria-label="Account">!${items.join('')}</nav>`
}

/** A whole page. It needs no script and asks no other host for anything. */
export function layout({ title, main, navigation }: Layout): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Licet</title>
<link rel="stylesheet" href="${stylePath}">
<link rel="icon" href="data:,">
</head>
<body class="${navigation === undefined ? 'narrow' : 'wide'}">
<header class="top"><span class="brand">Licet</span>!${navigation === undefined ? '' : navigationBar(navigation)}</header>
<main>
!${main}
</main>
</body>
</html>
`
}

/** What a form is given to show: its own proof, and what was wrong with what was sent before. */
export type FormState = { csrf: string; mistakes?: Record<string, string>; alarm?: string }

export type Field = {
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  value?: string
  hint?: string
  autocomplete: string
  optional?: true
  numeric?: true
}

/** A labelled field, with its hint and its mistake where a screen reader finds them. */
export function field(
  { name, label, type = 'text', value = '', hint, autocomplete, optional, numeric }: Field,
  { mistakes = {} }: Pick<FormState, 'mistakes'>,
): Html {
  const mistake = mistakes[name]
  const described = [hint === undefined ? '' : `${name}-hint`, mistake === undefined ? '' : `${name}-mistake`]
  const describedBy = described.filter((id) => id !== '').join(' ')
  return html`<div class="field">
<label for="${name}">${label}</label>
<input type="${type}" id="${name}" name="${name}" value="${value}" autocomplete="${autocomplete}"
!${optional ? '' : ' required'}!${numeric ? ' inputmode="numeric"' : ''}!${describedBy === '' ? '' : html` aria-describedby="${describedBy}"`}!${mistake === undefined ? '' : ' aria-invalid="true"'}>
!${hint === undefined ? '' : html`<span class="hint" id="${name}-hint">${hint}</span>`}
!${mistake === undefined ? '' : html`<span class="mistake" id="${name}-mistake">${mistake}</span>`}
</div>`
}

/** Says what went wrong with the whole form, to eyes and to screen readers. */
export function alarm(text: string | undefined): Html {
  return text === undefined ? '' : html`<p class="alarm" role="alert">${text}</p>`
}

export function notice(text: string | undefined): Html {
  return text === undefined ? '' : html`<p class="notice" role="status">${text}</p>`
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`
}

/** The field that proves that a form came from our own page. */
export function proof({ csrf }: FormState): Html {
  return hidden('_csrf', csrf)
}

export function errorPage({ title, message, requestId }: { title: string; message: string; requestId: string }): Html {
  return layout({
    title,
    main: html`<div class="card"><h1>${title}</h1>
<p>${message}</p>
<p class="faint">If you ask somebody for help, tell them this: <code>${requestId}</code></p></div>`,
  })
}

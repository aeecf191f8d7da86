import { html } from 'ghtml'
import type { PlainMessageKey, Translator } from '../text/messages.ts'
import type { FormState } from './form.ts'
import { FAVICON, MARK, SERVICE } from './mark.ts'
import { stylePath } from './style.ts'

/** Text that is HTML already. A template inserts it with `!${…}`; everything else is escaped. */
export type Html = string

export type Link = { href: string; text: PlainMessageKey }

export type Layout = {
  t: Translator
  title: string
  main: Html
  /** The form on the page. If it has errors, the title says so, because screen readers read it first. */
  form?: Pick<FormState, 'mistakes' | 'alarm'>
}

function isWrong({ mistakes = {}, alarm }: Pick<FormState, 'mistakes' | 'alarm'>): boolean {
  return alarm !== undefined || Object.keys(mistakes).length > 0
}

/** A page of the service. */
export function layout({ t, title, main, form = {} }: Layout): Html {
  return wholePage({
    title: `${isWrong(form) ? t('account.form.error', { title }) : title} · ${SERVICE}`,
    language: t.language,
    frame: 'narrow',
    body: html`<header class="top"><div class="brand">!${MARK}<span>${SERVICE}</span></div></header>
<main>
!${main}
</main>`,
  })
}

export type WholePage = {
  title: string
  body: Html
  /** How the stylesheet frames it. */
  frame: 'narrow' | 'poster'
  icon?: string
  language: string
  description?: string
}

/** The frame of every page of every site. It needs no script and loads nothing from other hosts. */
export function wholePage({ title, body, frame, icon = FAVICON, language, description = '' }: WholePage): Html {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
!${description === '' ? '' : html`<meta name="description" content="${description}">`}
<meta name="theme-color" content="#f6f7f6" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#101413" media="(prefers-color-scheme: dark)">
<title>${title}</title>
<link rel="stylesheet" href="${stylePath}">
<link rel="icon" href="${icon}">
</head>
<body class="${frame}">
!${body}
</body>
</html>
`
}

/** Isolates a name, so that right-to-left text in it does not reorder the text around it. */
export function name(text: string): Html {
  return html`<bdi>${text}</bdi>`
}

/** An email address with line breaks only at sensible places. */
export function address(email: string): Html {
  const [whole = '', host] = email.split(/(?<=@)(?=[^@]*$)/)
  return html`<bdi>${whole}!${host === undefined ? '' : html`<wbr>${host}`}</bdi>`
}

/** The initial that replaces a missing picture. */
export function initial(text: string): string {
  const [letter = '?'] = /[\p{L}\p{N}\p{P}\p{S}]/u.exec(text) ?? []
  return letter.toUpperCase()
}

export function tile(text: string): Html {
  return html`<span class="tile" aria-hidden="true">${initial(text)}</span>`
}

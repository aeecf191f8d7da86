import { html } from 'ghtml'

export type Mail = { subject: string; text: string; html: string }

/** A block of a mail, as HTML and as plain text. */
export type Part = { html: string; text: string }

export type MailContent = {
  subject: string
  /** Two-letter code of a language that is written from left to right. */
  language: string
  parts: Part[]
  /** The sender's details, in small print at the end. */
  imprint?: string[]
}

/** The lines between rows: half-transparent, so that they suit a light and a dark page. */
const RULE = '1px solid rgba(128,128,128,.4)'

/** For mail programs that apply style sheets; the others use their own colours. */
const COLOURS = `:root{color-scheme:light dark}
body{background:#ffffff;color:#1c1c1c}
a{color:#0b6b57}
@media (prefers-color-scheme:dark){body{background:#161616;color:#ededed}a{color:#7cd3bd}}`

/** Names come from people: in a mail they stay within their line, and in the direction in which it is read. */
export function inLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}

export function paragraph(text: string): Part {
  return { html: html`<p style="margin:0 0 16px">${text}</p>`, text }
}

export function title(text: string): Part {
  return { html: html`<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${text}</h1>`, text }
}

export function heading(text: string): Part {
  return {
    html: html`<h2 dir="auto" style="margin:28px 0 8px;font-size:17px;line-height:1.3">${text}</h2>`,
    text: `${text}\n${'-'.repeat(Math.min(text.length, 60))}`,
  }
}

/** A text that stands out. */
export function notice(text: string): Part {
  return {
    html: html`<p style="margin:0 0 16px;padding:12px 16px;border:2px dashed #c2410c;border-radius:6px"><strong>${text}</strong></p>`,
    text: `*** ${text} ***`,
  }
}

/** Lines that stand close together, such as an address. */
export function lines(texts: readonly string[]): Part {
  const each = texts.map((text) => html`<span dir="auto">${text}</span>`)
  return { html: html`<p style="margin:0 0 16px">!${each.join('<br>')}</p>`, text: texts.join('\n') }
}

export function list(items: readonly string[]): Part {
  const each = items.map((item) => html`<li dir="auto" style="margin:0 0 4px">${item}</li>`)
  return {
    html: html`<ul style="margin:0 0 16px;padding:0 0 0 20px">!${each.join('')}</ul>`,
    text: items.map((item) => `- ${item}`).join('\n'),
  }
}

/** The colours of a button, as six digits after a number sign. */
export type ButtonColours = { background: string; text: string }

const BUTTON: ButtonColours = { background: '#0b6b57', text: '#ffffff' }

/** A link that is meant to be followed; `hint` introduces its address. */
export function button({
  label,
  link,
  hint,
  colours = BUTTON,
}: {
  label: string
  link: string
  hint: string
  colours?: ButtonColours
}): Part {
  return {
    html: html`<p style="margin:0 0 16px"><a href="${link}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:${colours.background};color:${colours.text};text-decoration:none">${label}</a></p>
<p style="margin:0 0 16px;font-size:14px">${hint}<br><a href="${link}">${link}</a></p>`,
    text: `${label}:\n${link}`,
  }
}

/** A link in small print, for readers who look for it. */
export function footnote(text: string, link: string): Part {
  return {
    html: html`<p style="margin:32px 0 16px;font-size:14px">${text}<br><a href="${link}">${link}</a></p>`,
    text: `${text}\n${link}`,
  }
}

/** A row of a bill, with details in small print below its name, and a picture beside it. */
export type BillRow = { name: string; details: string[]; amount: string; picture?: string | undefined }

export type BillSum = { label: string; amount: string; weight: 'plain' | 'strong' | 'small' }

const PICTURE_WIDTH = 56

const WEIGHTS = { plain: '', strong: 'font-weight:bold;font-size:18px;', small: 'font-size:14px;' }

/** The bought items and their prices, in two columns: they fit on the narrowest phone. */
export function bill(columns: readonly [string, string], rows: readonly BillRow[], sums: readonly BillSum[]): Part {
  const row = ({ name, details, amount, picture }: BillRow) => {
    const more = details.map((detail) => html`<br><small>${detail}</small>`).join('')
    // The name stands beside it, so that readers of the text alone miss nothing.
    const art =
      picture === undefined
        ? ''
        : html`<img src="${picture}" alt="" width="${PICTURE_WIDTH}" align="left" style="float:left;width:${PICTURE_WIDTH}px;height:auto;margin:0 12px 0 0;border-radius:6px">`
    return html`<tr><td dir="auto" style="padding:8px 12px 8px 0;border-top:${RULE};text-align:left;white-space:normal">!${art}${name}!${more}</td><td style="padding:8px 0;border-top:${RULE}">${amount}</td></tr>`
  }
  const sum = ({ label, amount, weight }: BillSum, index: number) => {
    const rule = index === 0 || weight === 'strong' ? `border-top:${RULE};` : ''
    const style = `padding:6px 0;${rule}${WEIGHTS[weight]}`
    return html`<tr><th scope="row" style="${style}padding-right:12px;text-align:left;white-space:normal;${weight === 'strong' ? '' : 'font-weight:normal'}">${label}</th><td style="${style}">${amount}</td></tr>`
  }
  const [first, second] = columns
  return {
    html: html`<table style="width:100%;margin:0 0 16px;border-collapse:collapse;text-align:right;vertical-align:top;white-space:nowrap">
<thead><tr><th scope="col" style="padding:0 12px 6px 0;text-align:left;font-size:14px">${first}</th><th scope="col" style="padding:0 0 6px;font-size:14px">${second}</th></tr></thead>
<tbody style="vertical-align:top">
!${rows.map(row).join('\n')}
</tbody>
<tfoot>
!${sums.map(sum).join('\n')}
</tfoot>
</table>`,
    text: [
      ...rows.map(({ name, details, amount }) =>
        [`- ${name}: ${amount}`, ...details.map((text) => `  ${text}`)].join('\n'),
      ),
      '',
      ...sums.map(({ label, amount }) => `${label}: ${amount}`),
    ].join('\n'),
  }
}

/** Renders a mail; the text part says the same as the HTML without the layout. */
export function layOut({ subject, language, parts, imprint = [] }: MailContent): Mail {
  const end = imprint.map((line) => html`<span dir="auto">${line}</span>`).join('<br>')
  return {
    subject,
    text: `${[...parts.map(({ text }) => text), ...(imprint.length > 0 ? [imprint.join('\n')] : [])].join('\n\n')}\n`,
    html: html`<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>!${COLOURS}</style>
</head>
<body style="margin:0;padding:24px 16px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
<div style="max-width:560px;margin:0 auto;overflow-wrap:anywhere">
!${parts.map((part) => part.html).join('\n')}
!${imprint.length > 0 ? html`<p style="margin:32px 0 0;padding:16px 0 0;border-top:${RULE};font-size:14px">!${end}</p>` : ''}
</div>
</body>
</html>
`,
  }
}

import { html } from 'ghtml'

export type Mail = { subject: string; text: string; html: string }

/** The colours of a sender, as six digits after a number sign: for links and buttons, for text on them, and behind quotes. */
export type Colours = { accent: string; on: string; tint: string }

/** How the mails of a sender look, on light and on dark screens. */
export type Look = { light: Colours; dark: Colours }

/** A block of a mail, as HTML in the look of the sender, and as plain text. */
export type Part = { html: (look: Look) => string; text: string }

export type MailContent = {
  subject: string
  /** Two-letter code of a language that is written from left to right. */
  language: string
  parts: readonly Part[]
  /** Absent: the look of the service. */
  look?: Look
  /** Who writes, above everything else. */
  sender?: Part
  /** The address of a wide picture that leads the mail. */
  picture?: string | undefined
  /** What mail programs show beside the subject. */
  preview?: string | undefined
  /** The sender's details, in small print at the end. */
  imprint?: readonly string[]
}

const OWN_LOOK: Look = {
  light: { accent: '#0b6b57', on: '#ffffff', tint: '#e3f2ee' },
  dark: { accent: '#5fd0b5', on: '#06231c', tint: '#17302a' },
}

const FONT = "'Inter Variable',Inter,system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif"
const MUTED = '#56645e'
const LINE = '1px solid #e1e6e3'
const SMALL = `font-size:14px;line-height:20px;color:${MUTED}`

/** For mail programs that apply style sheets; the others show the colours for light screens. */
function stylesOf({ light, dark }: Look): string {
  return `:root{color-scheme:light dark}
a{color:${light.accent}}
@media (max-width:520px){.pad{padding-left:20px!important;padding-right:20px!important}.edge{padding:0!important}.sheet{border-radius:0!important;border-left:0!important;border-right:0!important}.cta{display:block!important}}
@media (prefers-color-scheme:dark){body,.bg{background:#101413!important;color:#e9efec!important}.sheet{background:#191f1d!important;border-color:#2c3633!important;color:#e9efec!important}.mut{color:#a3b1ab!important}.hl{border-color:#2c3633!important}a{color:${dark.accent}!important}.cta,.tile{background:${dark.accent}!important;color:${dark.on}!important}.tint{background:${dark.tint}!important;color:#e9efec!important}}`
}

/** Names come from people: in a mail they stay within their line, and in the direction in which it is read. */
export function inLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}

/** A block that looks the same for every sender. */
function plain(markup: string, text: string): Part {
  return { html: () => markup, text }
}

/** A paragraph. What an owner wrote in several lines stays in these. */
export function paragraph(text: string): Part {
  const written = text.split('\n').map((line) => html`${line}`)
  return plain(html`<p style="margin:0 0 16px">!${written.join('<br>')}</p>`, text)
}

/** A paragraph in small print. */
export function smallPrint(text: string): Part {
  return plain(html`<p class="mut" style="margin:0 0 16px;${SMALL}">${text}</p>`, text)
}

export function title(text: string): Part {
  return plain(
    html`<h1 dir="auto" style="margin:0 0 8px;font-size:24px;line-height:32px;font-weight:650;letter-spacing:-.01em">${text}</h1>`,
    text,
  )
}

export function heading(text: string): Part {
  return plain(
    html`<h2 dir="auto" style="margin:32px 0 4px;font-size:20px;line-height:28px;font-weight:650;letter-spacing:-.01em">${text}</h2>`,
    `${text}\n${'-'.repeat(Math.min(text.length, 60))}`,
  )
}

/** A warning that stands out. */
export function notice(text: string): Part {
  return plain(
    html`<p style="margin:0 0 16px;padding:12px 16px;border:2px dashed #c2410c;border-radius:8px"><strong>${text}</strong></p>`,
    `*** ${text} ***`,
  )
}

/** The words of a person, in the lines in which they were written. */
export function card(text: string): Part {
  const written = text.split(/\r\n|\r|\n/).map((line) => html`${line}`)
  return {
    html: ({ light }) =>
      html`<p dir="auto" class="tint" style="margin:16px 0 24px;padding:20px 24px;border-radius:12px;background:${light.tint};color:#17201d;font:400 18px/28px 'Iowan Old Style',Charter,Georgia,serif">!${written.join('<br>')}</p>`,
    text: text
      .split(/\r\n|\r|\n/)
      .map((line) => `> ${line}`.trimEnd())
      .join('\n'),
  }
}

/** Lines that stand close together, such as an address. */
export function lines(texts: readonly string[]): Part {
  const each = texts.map((text) => html`<span dir="auto">${text}</span>`)
  return plain(html`<p style="margin:0 0 16px">!${each.join('<br>')}</p>`, texts.join('\n'))
}

export function list(items: readonly string[]): Part {
  const each = items.map((item) => html`<li dir="auto" style="margin:0 0 4px">${item}</li>`)
  return plain(
    html`<ul style="margin:0 0 16px;padding:0 0 0 20px">!${each.join('')}</ul>`,
    items.map((item) => `- ${item}`).join('\n'),
  )
}

/** A link that is meant to be followed; `hint` introduces its address for readers whose program shows no button. */
export function button({ label, link, hint }: { label: string; link: string; hint?: string }): Part {
  return {
    html: ({ light }) =>
      html`<p style="margin:0 0 16px"><a class="cta" href="${link}" style="display:inline-block;padding:11px 28px;border-radius:8px;background:${light.accent};color:${light.on};font-weight:600;text-align:center;text-decoration:none">${label}</a></p>!${
        hint === undefined
          ? ''
          : html`
<p class="mut" style="margin:0 0 16px;${SMALL}">${hint}<br><a href="${link}" style="color:${light.accent}">${link}</a></p>`
      }`,
    text: `${label}:\n${link}`,
  }
}

/** A link in the text, after the words that lead to it. */
export function textLink(before: string, label: string, link: string): Part {
  return {
    html: ({ light }) =>
      html`<p style="margin:0 0 16px">${before} <a href="${link}" style="color:${light.accent}">${label}</a></p>`,
    text: `${before} ${label}:\n${link}`.trim(),
  }
}

/** A link in small print, for readers who look for it. */
export function footnote(text: string, link: string): Part {
  return {
    html: ({ light }) =>
      html`<p class="mut" style="margin:32px 0 16px;${SMALL}">${text}<br><a href="${link}" style="color:${light.accent}">${link}</a></p>`,
    text: `${text}\n${link}`,
  }
}

/** One thing with its picture beside it. */
export function pictured({ title, text, picture }: { title: string; text: string; picture: string | undefined }): Part {
  const art =
    picture === undefined
      ? ''
      : html`<td width="112" style="padding:0 20px 0 0;vertical-align:top"><img src="${picture}" alt="" width="112" style="display:block;width:112px;height:auto;border-radius:8px"></td>`
  return plain(
    html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 20px"><tr>!${art}<td dir="auto" style="vertical-align:middle"><strong style="display:block;font-size:20px;line-height:28px;font-weight:650">${title}</strong><span class="mut" style="display:block;${SMALL}">${text}</span></td></tr></table>`,
    [title, text].filter((line) => line !== '').join('\n'),
  )
}

/** The name of the sender, with its picture or else its initial in its colours. */
export function masthead(name: string, picture: string | undefined): Part {
  return {
    html: ({ light }) => {
      const mark =
        picture === undefined
          ? html`<span class="tile" aria-hidden="true" style="display:inline-block;width:28px;border-radius:7px;background:${light.accent};color:${light.on};font-size:16px;line-height:28px;text-align:center">${[...name][0]?.toUpperCase() ?? ''}</span>`
          : html`<img src="${picture}" alt="" width="28" style="display:block;width:28px;height:auto;border-radius:7px">`
      return html`<table role="presentation" cellpadding="0" cellspacing="0"><tr><td style="padding:0 10px 0 0">!${mark}</td><td dir="auto" style="font-size:18px;line-height:28px;font-weight:700">${name}</td></tr></table>`
    },
    text: name,
  }
}

/** A row of a bill, with details in small print below its name, and a picture beside it. */
export type BillRow = { name: string; details: string[]; amount: string; picture?: string | undefined }

export type BillSum = { label: string; amount: string; weight: 'plain' | 'strong' | 'small' }

const PICTURE_WIDTH = 56

const WEIGHTS = { plain: '', strong: 'padding-top:8px;font-weight:650;', small: `${SMALL};` }

/** The bought items and their prices: they fit on the narrowest phone. */
export function bill(rows: readonly BillRow[], sums: readonly BillSum[]): Part {
  const hasPictures = rows.some(({ picture }) => picture !== undefined)
  const row = ({ name, details, amount, picture }: BillRow) => {
    const more = details
      .map((detail) => html`<span class="mut" style="display:block;${SMALL}">${detail}</span>`)
      .join('')
    // The name stands beside it, so that readers of the text alone miss nothing.
    const art =
      picture === undefined
        ? ''
        : html`<img src="${picture}" alt="" width="${PICTURE_WIDTH}" style="display:block;width:${PICTURE_WIDTH}px;height:auto;border-radius:6px">`
    const shown = hasPictures ? html`<td width="${PICTURE_WIDTH}" style="padding:12px 16px 12px 0">!${art}</td>` : ''
    return html`<tr>!${shown}<th scope="row" dir="auto" style="padding:12px 12px 12px 0;text-align:left;font-weight:400"><strong style="display:block;font-weight:600">${name}</strong>!${more}</th><td style="padding:12px 0;text-align:right;white-space:nowrap">${amount}</td></tr>`
  }
  const sum = ({ label, amount, weight }: BillSum, index: number) => {
    const style = `padding:${index === 0 ? '12px' : '3px'} 0 3px;${WEIGHTS[weight]}`
    const css = weight === 'small' ? 'mut hl' : 'hl'
    const rule = index === 0 ? `border-top:${LINE};` : ''
    return html`<tr><th scope="row" class="${css}"!${hasPictures ? ' colspan="2"' : ''} style="${style}${rule}text-align:left;${weight === 'strong' ? '' : 'font-weight:400'}">${label}</th><td class="${css}" style="${style}${rule}text-align:right;white-space:nowrap">${amount}</td></tr>`
  }
  return plain(
    html`<table cellpadding="0" cellspacing="0" style="width:100%;margin:0 0 24px;border-collapse:collapse;vertical-align:top;font-variant-numeric:tabular-nums">
<tbody style="vertical-align:top">
!${rows.map(row).join('\n')}
</tbody>
<tfoot>
!${sums.map(sum).join('\n')}
</tfoot>
</table>`,
    [
      ...rows.map(({ name, details, amount }) =>
        [`- ${name}: ${amount}`, ...details.map((text) => `  ${text}`)].join('\n'),
      ),
      '',
      ...sums.map(({ label, amount }) => `${label}: ${amount}`),
    ].join('\n'),
  )
}

/** Renders a mail; the text part says the same as the HTML without the layout. */
export function layOut(content: MailContent): Mail {
  const { subject, language, parts, look = OWN_LOOK, sender, picture, preview, imprint = [] } = content
  const end = imprint.map((line) => html`<span dir="auto">${line}</span>`).join('<br>')
  const texts = [...(sender === undefined ? [] : [sender.text]), ...parts.map(({ text }) => text)]
  return {
    subject,
    text: `${[...texts, ...(imprint.length > 0 ? [imprint.join('\n')] : [])].join('\n\n')}\n`,
    html: html`<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>!${stylesOf(look)}</style>
</head>
<body class="bg" style="margin:0;padding:0;background:#f6f7f6;color:#17201d;font:400 16px/26px ${FONT}">
!${preview === undefined ? '' : html`<div style="display:none;max-height:0;overflow:hidden">${preview}</div>`}<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="bg" style="background:#f6f7f6;color:#17201d"><tr><td align="center" class="edge" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;text-align:left">
!${sender === undefined ? '' : html`<tr><td class="pad" style="padding:16px 0 20px">!${sender.html(look)}</td></tr>`}<tr><td class="sheet" style="background:#ffffff;border:${LINE};border-radius:12px;overflow:hidden">
!${picture === undefined ? '' : html`<img src="${picture}" alt="" width="598" style="display:block;width:100%;height:auto">`}<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td class="pad" style="padding:32px 40px 24px;overflow-wrap:anywhere">
!${parts.map((part) => part.html(look)).join('\n')}
</td></tr></table></td></tr>
!${imprint.length > 0 ? html`<tr><td class="pad mut" style="padding:24px 0;${SMALL}">!${end}</td></tr>` : ''}
</table></td></tr></table>
</body>
</html>
`,
  }
}

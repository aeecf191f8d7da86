import { html } from 'ghtml'
import { translatorOf } from '#platform/text/messages.ts'

type Book = { language: string; kind: 'pdf' | 'epub'; address: string; assets: string }

/** The page in which a book is shown. Its buttons are in the page of the shop around it. */
export function bookPage({ language, kind, address, assets }: Book): string {
  const t = translatorOf(language)
  return html`<!doctype html>
<html lang="${t.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${t('pages.reader.book')}</title>
<link rel="stylesheet" href="${assets}/reader.css">
<script type="module" src="${assets}/reader.js"></script>
</head>
<body data-kind="${kind}" data-address="${address}" data-assets="${assets}"><div id="book" tabindex="0"></div></body>
</html>`
}

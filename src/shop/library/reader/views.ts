import { html } from 'ghtml'

/** The page in which a book is shown. Its buttons are in the page of the shop around it. */
export function bookPage({ kind, address, assets }: { kind: 'pdf' | 'epub'; address: string; assets: string }): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Book</title>
<link rel="stylesheet" href="${assets}/reader.css">
<script type="module" src="${assets}/reader.js"></script>
</head>
<body data-kind="${kind}" data-address="${address}" data-assets="${assets}"><div id="book" tabindex="0"></div></body>
</html>`
}

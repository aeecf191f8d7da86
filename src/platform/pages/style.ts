import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A file whose address changes with its content, so that browsers may cache it forever. */
export type StyleFile = { path: string; contentType: string; content: string | Buffer }

const pathOf = (name: string, content: string | Buffer, ending: string) =>
  `/assets/${name}-${hash('sha256', content).slice(0, 12)}.${ending}`

/** The letters of western languages, and those of the others that are written in Latin letters. */
const SETS = {
  latin:
    'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
  'latin-ext':
    'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
} as const

const fonts = Object.entries(SETS).map(([set, range]) => {
  const file = `@fontsource-variable/inter/files/inter-${set}-wght-normal.woff2`
  const content = readFileSync(new URL(import.meta.resolve(file)))
  const path = pathOf(`inter-${set}`, content, 'woff2')
  const face = `@font-face{font-family:"Inter Variable";src:url(${path}) format("woff2");font-weight:100 900;font-display:swap;unicode-range:${range}}`
  return { path, content, contentType: 'font/woff2', face }
})

/** The one stylesheet: the faces of the font, and its parts in the order in which they build on one another. */
const css = [
  ...fonts.map(({ face }) => face),
  ...['base', 'frame', 'forms', 'lists', 'poster', 'status'].map((part) =>
    readFileSync(new URL(`style/${part}.css`, import.meta.url), 'utf8'),
  ),
].join('\n')

/** The logo, for programs that read no page. */
export const favicon = readFileSync(new URL('style/favicon.png', import.meta.url))

export const stylePath = pathOf('pages', css, 'css')

/** The files that the pages of every site load. */
export const STYLE_FILES: readonly StyleFile[] = [
  { path: stylePath, contentType: 'text/css; charset=utf-8', content: css },
  ...fonts,
]

import type { Page } from 'playwright-core'
import { PATIENCE_MS } from '../patience.ts'
import type { ElementPath } from './markup.ts'

export type FieldSeen = {
  name: string
  type: string
  autocomplete: string | null
  value: string
  /** The description that a screen reader adds to its label. */
  description: string
  isInvalid: boolean
}

export type Look = {
  paths: ElementPath[]
  headings: number
  alerts: string[]
  fields: FieldSeen[]
  /** The element with the focus when the page opens. */
  focus: string
  /** Whether the first invalid field has the focus, if there is one. */
  isFirstMistakeFocused: boolean
  /** The elements that the Tab key should reach, in order. */
  stops: string[]
}

/** Runs in the page, which knows no type of ours. */
const FUNCTIONS = `
  const all = (selector) => [...document.querySelectorAll(selector)]
  const pathOf = (element) => element === null ? [] : [...pathOf(element.parentElement), element.localName]
  const called = (element) =>
    element === null || element === document.body ? 'nothing'
    : (element.localName + ' ' + (element.labels?.[0] ?? element).innerText.trim()).replace(/\\s+/g, ' ')
  const stops = () =>
    all('a[href], button, input:not([type=hidden]), select, summary')
      .filter((each) => each.checkVisibility() && (each.type !== 'radio' || each.checked))
  const describe = (element) => (element.getAttribute('aria-describedby') ?? '').split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '').join(' ').trim()
`

const LOOK = `(() => {${FUNCTIONS}
  const invalid = all('[aria-invalid=true]')
  return {
    paths: all('*').map((element) => pathOf(element).join(' ')),
    headings: all('h1').length,
    alerts: all('[role=alert]').map((element) => element.textContent),
    fields: all('input:not([type=hidden]):not([type=radio]), select').map((element) => ({
      name: element.name, type: element.type, autocomplete: element.getAttribute('autocomplete'), value: element.value,
      description: describe(element), isInvalid: invalid.includes(element),
    })),
    focus: called(document.activeElement),
    isFirstMistakeFocused: invalid.length === 0 || document.activeElement === invalid[0],
    stops: stops().map(called),
  }
})()`

/**
 * What is on the page, once the cursor is where the page wants it: a browser sets it a moment after it has shown the
 * page.
 */
export async function look(page: Page): Promise<Look> {
  const deadline = Date.now() + PATIENCE_MS
  const isSettled = () =>
    page.evaluate("[null, document.activeElement].includes(document.querySelector('[autofocus]'))")
  while (!(await isSettled()) && Date.now() < deadline);
  return page.evaluate(LOOK)
}

/** The edges are those in the document, however far it is scrolled. */
export type Stop = {
  called: string
  outline: number
  isShown: boolean
  top: number
  bottom: number
  left: number
  right: number
}

const STOP = `(() => {${FUNCTIONS}
  const element = document.activeElement
  const { top, bottom, left, right } = element.getBoundingClientRect()
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  return {
    called: called(element), outline: outlineStyle === 'none' ? 0 : parseFloat(outlineWidth),
    isShown: top >= 0 && bottom <= innerHeight, top: top + scrollY, bottom: bottom + scrollY, left, right,
  }
})()`

/** The element with the focus, and how it is shown. */
export function focused(page: Page): Promise<Stop> {
  return page.evaluate(STOP)
}

/** How many pixels there are beyond the right edge. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

import type { Page } from 'playwright-core'
import type { Wire } from '../factories.ts'

const shownIn = (page: Page) => page.innerText('[data-where]:not(:empty)')

/** The place in a book, once it stays: the reader counts the pages while it already shows the first ones. */
export async function placeIn(page: Page): Promise<string> {
  let place = await shownIn(page)
  for (let same = 0; same < 8; ) {
    await page.waitForTimeout(100)
    const now = await shownIn(page)
    same = now === place ? same + 1 : 0
    place = now
  }
  return place
}

/** Does something that moves in the book, and waits until it has. */
export async function moves(page: Page, act: () => Promise<unknown>): Promise<string> {
  const before = await placeIn(page)
  await act()
  const shown = await page.waitForSelector('[data-where]')
  await page.waitForFunction(([element, text]: [Wire, string]) => element.textContent !== text, [shown, before] as [
    Wire,
    string,
  ])
  return placeIn(page)
}

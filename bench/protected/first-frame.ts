import { type BrowserContext, chromium } from 'playwright-core'
import { findChromium } from '#test/chromium.ts'
import { median } from '../measure.ts'
import type { Service } from '../services.ts'
import type { Scene } from './scene.ts'

/** Of a protected film, of one that the browser decrypts apart from the page, and of one that is played from its file. */
export type FirstFrame = { protectedMs: number; apartMs: number; plainMs: number }

const PATIENCE_MS = 60_000

/** Runs in the page: milliseconds from the press of Play to the first picture. */
const PLAY = `new Promise((resolve, reject) => {
  const [video, button] = [document.querySelector('video'), document.querySelector('button.play')]
  if (video === null || button === null) return reject(new Error('the page has no player'))
  setTimeout(() => reject(new Error('no picture was shown')), ${PATIENCE_MS})
  const started = performance.now()
  video.requestVideoFrameCallback(() => resolve(performance.now() - started))
  button.click()
})`

async function firstFrameOf(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage()
  try {
    await page.goto(url)
    await page.waitForSelector('button.play')
    return await page.evaluate<number>(PLAY)
  } finally {
    await page.close()
  }
}

/** A protected film against the same film that is played from its file, in Chromium; undefined where there is none. */
export async function measureFirstFrame(
  service: Service,
  { base, cookie, owned, apart, plain }: Scene,
  rounds: number,
): Promise<FirstFrame | undefined> {
  const executablePath = findChromium(process.env)
  if (executablePath === undefined) return undefined
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const context = await browser.newContext()
    const pairs = cookie
      .split('; ')
      .map((pair) => ({ name: pair.split('=')[0] ?? '', value: pair.slice(pair.indexOf('=') + 1) }))
    await context.addCookies(pairs.map(({ name, value }) => ({ name, value, url: service.address })))
    const [first] = owned
    const address = (id: number | undefined) => `${service.address}${base}/my-content/${id}/play`
    const times = { plainMs: [] as number[], protectedMs: [] as number[], apartMs: [] as number[] }
    for (let round = 0; round <= rounds; round += 1) {
      times.plainMs.push(await firstFrameOf(context, address(plain)))
      times.protectedMs.push(await firstFrameOf(context, address(first)))
      times.apartMs.push(await firstFrameOf(context, address(apart)))
    }
    // The first of each loads what the browser keeps.
    const middle = (all: number[]) => median(all.slice(1))
    return {
      protectedMs: middle(times.protectedMs),
      apartMs: middle(times.apartMs),
      plainMs: middle(times.plainMs),
    }
  } finally {
    await browser.close()
  }
}

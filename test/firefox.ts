import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const FOUND = [process.env.FIREFOX_PATH ?? '', '/usr/bin/firefox-esr', '/usr/bin/firefox'].find(
  (path) => path !== '' && existsSync(path),
)

/** Why tests in Firefox are skipped, if it is not installed. */
export const withoutFirefox = FOUND === undefined ? 'Firefox is not installed (firefox-esr)' : false

/** Films play without a press, and nothing is fetched from its makers. */
const PREFERENCES = [
  'user_pref("media.autoplay.default", 0);',
  'user_pref("datareporting.policy.dataSubmissionEnabled", false);',
  'user_pref("app.update.enabled", false);',
  'user_pref("browser.shell.checkDefaultBrowser", false);',
]

/** A page of Firefox, which is driven by WebDriver BiDi. */
export type FirefoxPage = {
  goto(url: string): Promise<void>
  /** The value of an expression in the page, as JSON can say it. */
  evaluate<Value>(expression: string): Promise<Value>
  /** Waits until an expression is true. */
  until(expression: string, timeoutMs?: number): Promise<void>
  close(): Promise<void>
}

type Pending = { resolve(result: Record<string, unknown>): void; reject(error: Error): void }
type Message = { id?: number; type?: string; result?: Record<string, unknown>; message?: string }

const LISTENING = /WebDriver BiDi listening on (ws:\S+)/

async function addressOf(firefox: ChildProcess): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    firefox.once('exit', () => reject(new Error(`Firefox ended: ${said}`)))
    firefox.stderr?.on('data', (text) => {
      said += String(text)
      const [, address] = LISTENING.exec(said) ?? []
      if (address !== undefined) resolve(address)
    })
  })
}

/** Opens a page in a Firefox of its own. */
export async function openFirefox(): Promise<FirefoxPage> {
  assert.ok(FOUND, 'Firefox is not installed')
  const profile = await mkdtemp(join(tmpdir(), 'licet-firefox-'))
  await writeFile(join(profile, 'user.js'), PREFERENCES.join('\n'))
  const firefox = spawn(FOUND, ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile, MOZ_DISABLE_CONTENT_SANDBOX: '1' },
  })
  const socket = new WebSocket(`${await addressOf(firefox)}/session`)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', () => reject(new Error('Firefox takes no commands')), { once: true })
  })
  const pending = new Map<number, Pending>()
  let last = 0
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    const asked = pending.get(message.id ?? 0)
    pending.delete(message.id ?? 0)
    if (message.type === 'success') asked?.resolve(message.result ?? {})
    else asked?.reject(new Error(message.message))
  })
  const send = (method: string, params: object) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      last += 1
      pending.set(last, { resolve, reject })
      socket.send(JSON.stringify({ id: last, method, params }))
    })
  await send('session.new', { capabilities: {} })
  const { context } = await send('browsingContext.create', { type: 'tab' })

  async function evaluate<Value>(expression: string): Promise<Value> {
    const answer = await send('script.evaluate', {
      expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`,
      target: { context },
      awaitPromise: true,
      userActivation: true,
    })
    const { type, result, exceptionDetails } = answer as {
      type: string
      result?: { value: string }
      exceptionDetails?: { text: string }
    }
    if (type !== 'success' || result === undefined) throw new Error(exceptionDetails?.text ?? 'the script failed')
    return JSON.parse(result.value) as Value
  }

  return {
    evaluate,
    async goto(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    async until(expression, timeoutMs = 30_000) {
      const end = Date.now() + timeoutMs
      while (!(await evaluate<boolean>(`Boolean(${expression})`))) {
        if (Date.now() > end) throw new Error(`it did not come true: ${expression}`)
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    },
    async close() {
      socket.close()
      firefox.kill('SIGKILL')
      await new Promise((resolve) =>
        firefox.exitCode === null && firefox.signalCode === null ? firefox.once('exit', resolve) : resolve(undefined),
      )
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

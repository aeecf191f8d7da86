import hooks, { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'

type Init = (asyncId: number, type: string, triggerAsyncId: number, resource: object) => void

/**
 * The test runner finds out which test runs with a hook that Node calls for every promise, timer and socket: an eighth of
 * the processor time of all tests. While it loads, this gives it classes and functions that follow the test with an
 * AsyncLocalStorage instead, which costs next to nothing. Load this before anything that imports `node:test`.
 */
const { createHook, executionAsyncId } = hooks
const running = new AsyncLocalStorage<number>()
let init: Init | undefined

class FollowedResource extends AsyncResource {
  override runInAsyncScope<This, Result>(
    // biome-ignore lint/suspicious/noExplicitAny: the signature of the class that this stands for.
    fn: (this: This, ...args: any[]) => Result,
    thisArg?: This,
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    ...args: any[]
  ): Result {
    const id = this.asyncId()
    init?.(id, 'Test', 0, this)
    return super.runInAsyncScope(() => running.run(id, () => fn.apply(thisArg as This, args)))
  }
}

Object.assign(hooks, {
  AsyncResource: FollowedResource,
  executionAsyncId: () => running.getStore() ?? 0,
  createHook(callbacks: { init: Init }) {
    init = callbacks.init
    return { enable() {}, disable() {} }
  },
})
await import('node:test')
Object.assign(hooks, { AsyncResource, executionAsyncId, createHook })

import assert from 'node:assert/strict'
import type { Wire } from './factories.ts'
import type { Answer, Service, Shop } from './harness.ts'

/** Waits for an answer, with this process as the worker. */
export async function whileWorking(service: Service, asked: Promise<Answer>): Promise<Answer> {
  let isDone = false
  const answered = asked.finally(() => {
    isDone = true
  })
  while (!isDone) await service.runJobs()
  return answered
}

/** Moves the clock of a sandbox, and returns what it says then. */
export async function move(service: Service, shop: Pick<Shop, 'get' | 'post'>, test_clock: object): Promise<Wire> {
  let answer = await whileWorking(service, shop.post('/api/test_clock.json', { test_clock }))
  assert.equal(answer.status, 200, answer.text)
  // The machine may be too slow for the time that an answer takes at most.
  while (answer.body.test_clock.status === 'moving') {
    await service.runJobs()
    answer = await shop.get('/api/test_clock.json')
  }
  return answer.body.test_clock
}

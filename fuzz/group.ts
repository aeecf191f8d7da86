import type { Random } from '#program/demo/random.ts'
import type { OpenApi } from './document.ts'
import type { Known } from './known.ts'
import type { Scene } from './scene.ts'

export type FuzzRequest = { method: string; path: string; headers: Record<string, string>; body?: Buffer }

/** `violation` says what is wrong with the answer; undefined: nothing. */
export type Answer = { status: number; headers: Headers; text: string; violation: string | undefined }

/** A request, and who wants to know what became of it. */
export type Step = { request: FuzzRequest; take?: (answer: Answer) => void }

/** Tells whether an answer shows that requests reach the code behind the checks. */
export type Proof = (request: FuzzRequest, answer: Answer) => boolean

/** Requests to one part of the service. */
export type Group = {
  name: string
  /** Its part of all requests, beside those of the other groups. */
  share: number
  /** Called for every request of the group. A batch is sent at once, so its steps do not know each other's answers. */
  next(): Step
  /**
   * What has to happen at least once in a run, in words. Without it, the group has seen nothing but refusals. A short run
   * comes to the first of them at least.
   */
  proofs: Record<string, Proof>
}

/** What groups make their requests from. Each has random values of its own, so that another group changes none of them. */
export type GroupOptions = { scene: Scene; random: Random; document: OpenApi; known: Known }

export type CreateGroup = (options: GroupOptions) => Group

import { createHash } from 'node:crypto'

/** What the calculation takes on the machine on which limits of processor time were set. */
const REFERENCE_MS = 25
const TRIES = 5

/** Something of what tests do most: making, writing, reading and sorting objects. */
export function calculate(): string {
  const hash = createHash('sha256')
  for (let round = 0; round < 10; round += 1) {
    const made = Array.from({ length: 1000 }, (_, index) => {
      const number = (index * 7919 + round) % 1009
      return { id: index, name: `name ${number}`, tags: [`${number % 7}`, `${number % 11}`], size: number / 7 }
    })
    const read = JSON.parse(JSON.stringify(made)) as typeof made
    read.sort((one, other) => (one.name < other.name ? -1 : 1))
    const names = new Map(read.map(({ name, tags }) => [name, tags.join(' ')]))
    for (const [name, tags] of names) hash.update(name.replace(/\d/g, (digit) => `${9 - Number(digit)}`) + tags)
  }
  return hash.digest('hex')
}

/** How many times as long this machine takes for the same work as the one on which limits were set; at least 1. */
export function slowness(work: () => unknown = calculate, referenceMs = REFERENCE_MS): number {
  let cheapestMs = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES; tries += 1) {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    cheapestMs = Math.min(cheapestMs, (user + system) / 1000)
  }
  return Math.max(cheapestMs / referenceMs, 1)
}

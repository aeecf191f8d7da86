/** Random values that repeat: a demo shop made twice from one seed is the same shop. */
export type Random = {
  /** An integer from 0 up to, but not including, the bound. */
  below(bound: number): number
  pick<Value>(values: readonly Value[]): Value
  some<Value>(values: readonly Value[], count: number): Value[]
  /** True with this probability. */
  often(share: number): boolean
}

/** Mulberry32: 32 bits of state, good enough for titles and prices. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (bound: number) => Math.floor(next() * bound)
  const pick = <Value>(values: readonly Value[]): Value => {
    const value = values[below(values.length)]
    if (value === undefined) throw new Error('cannot pick from an empty list')
    return value
  }
  const some = <Value>(values: readonly Value[], count: number): Value[] => {
    const rest = [...values]
    const picked: Value[] = []
    while (picked.length < count && rest.length > 0) picked.push(...rest.splice(below(rest.length), 1))
    return picked
  }
  return { below, pick, some, often: (share) => next() < share }
}

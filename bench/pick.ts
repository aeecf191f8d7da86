/** Picks one of the first `last` values at random. */
export function pick<Value>(values: readonly Value[], last = values.length): Value {
  const value = values[Math.floor(Math.random() * last)]
  if (value === undefined) throw new Error('there is nothing to pick from')
  return value
}

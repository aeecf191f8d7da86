/** Pairs the entries of two lists of the same length. */
export function zip<One, Other>(ones: readonly One[], others: readonly Other[]): [One, Other][] {
  if (ones.length !== others.length)
    throw new Error(`a list of ${ones.length} cannot be paired with a list of ${others.length}`)
  return ones.map((one, index) => [one, others[index] as Other])
}

/**
 * Money is whole cents. The part of an amount that a rate makes (`cents * numerator / denominator`), rounded half up to
 * whole cents, exactly: no fraction of a cent is lost to floating point. Negative amounts are rounded
 * like positive ones, so a refund and its sale add up to zero.
 */
export function partOfCents(cents: number, numerator: number, denominator: number): number {
  if (![cents, numerator, denominator].every(Number.isSafeInteger) || denominator <= 0) {
    throw new RangeError(`not a part of whole cents: ${cents} * ${numerator} / ${denominator}`)
  }
  const doubled = BigInt(cents) * BigInt(numerator) * 2n
  const negative = doubled < 0n
  const half = ((negative ? -doubled : doubled) + BigInt(denominator)) / (2n * BigInt(denominator))
  const part = Number(negative ? -half : half)
  if (!Number.isSafeInteger(part)) throw new RangeError(`too large for cents: ${cents} * ${numerator} / ${denominator}`)
  return part
}

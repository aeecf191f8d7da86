/** Currencies whose amounts Stripe takes in whole units, as its documentation lists them. */
const ZERO_DECIMALS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))

/** Currencies whose amounts Stripe takes in thousandths. */
const THREE_DECIMALS = new Set('BHD JOD KWD OMR TND'.split(' '))

/** How many of Stripe's smallest units a hundredth is. */
function unitsPerCent(currency: string): number {
  if (ZERO_DECIMALS.has(currency)) return 0.01
  return THREE_DECIMALS.has(currency) ? 10 : 1
}

/** An amount as Stripe takes it; undefined if Stripe cannot charge it, such as half a yen. */
export function toMinorUnits(cents: number, currency: string): number | undefined {
  const units = Math.round(cents * unitsPerCent(currency))
  return toCents(units, currency) === cents ? units : undefined
}

/** An amount of Stripe in hundredths, as everything here is counted. */
export function toCents(units: number, currency: string): number {
  return Math.round(units / unitsPerCent(currency.toUpperCase()))
}

/** Was a signature made within so many seconds of now? Stripe's own library lets dates in the future pass. */
export function isTimely(signature: string, nowSeconds: number, toleranceSeconds: number): boolean {
  const times = signature.split(',').filter((part) => part.startsWith('t='))
  const [time = ''] = times
  return (
    times.length === 1 && /^t=\d{1,12}$/.test(time) && Math.abs(nowSeconds - Number(time.slice(2))) <= toleranceSeconds
  )
}

/**
 * The European Central Bank's reference rates of one day, units of each currency per euro. A service
 * starts with this snapshot, and the first refresh replaces it.
 */
export const SNAPSHOT = {
  quotedAt: new Date('2026-07-06T00:00:00Z'),
  rates: new Map([
    ['USD', 1.1415],
    ['JPY', 185.31],
    ['CZK', 24.157],
    ['DKK', 7.4748],
    ['GBP', 0.85538],
    ['HUF', 353.5],
    ['PLN', 4.2883],
    ['RON', 5.231],
    ['SEK', 11.015],
    ['CHF', 0.9201],
    ['ISK', 144],
    ['NOK', 11.234],
    ['TRY', 53.4222],
    ['AUD', 1.6462],
    ['BRL', 5.913],
    ['CAD', 1.6236],
    ['CNY', 7.7573],
    ['HKD', 8.9528],
    ['IDR', 20565.38],
    ['ILS', 3.4414],
    ['INR', 108.9035],
    ['KRW', 1747.72],
    ['MXN', 19.9586],
    ['MYR', 4.663],
    ['NZD', 2.0079],
    ['PHP', 70.227],
    ['SGD', 1.4765],
    ['THB', 38.04],
    ['ZAR', 18.5318],
  ]),
} as const

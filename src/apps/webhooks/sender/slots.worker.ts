/** Where a request goes, and for which company. */
export type Place = {
  companyId: number
  host: string
  /** A receiver that is failing has its place already, and only needs a connection. */
  isFailing: boolean
}

/** Requests under way. A slow one soon gives its place to others, so that it keeps no quick one waiting. */
export type Slots = {
  /** Runs a request when there is a place for it. */
  run<Result>(place: Place, request: () => Promise<Result>): Promise<Result>
  /** How many more could start now. */
  free(): number
  /** Companies that have as many under way as they may have. */
  fullCompanies(): number[]
}

export type SlotsOptions = {
  quickMax: number
  quickPerCompanyMax: number
  slowMax: number
  slowAfterMs: number
  /** As many as there are connections to a host, so that no request waits for one and is taken for unanswered. */
  perHostMax: number
  /** Of a company: others may have receivers on the same host. */
  perHostAndCompanyMax: number
}

export function createSlots(options: SlotsOptions): Slots {
  const companies = createCounts<number>()
  const hosts = createCounts<string>()
  const hostsOfCompanies = createCounts<string>()
  const waiting: { place: Place; start: () => void }[] = []
  let quick = 0
  let slow = 0

  const pairOf = ({ companyId, host }: Place) => `${companyId} ${host}`

  function mayStart(place: Place): boolean {
    if (hosts.of(place.host) >= options.perHostMax) return false
    if (hostsOfCompanies.of(pairOf(place)) >= options.perHostAndCompanyMax) return false
    return place.isFailing || (quick < options.quickMax && companies.of(place.companyId) < options.quickPerCompanyMax)
  }

  function take(place: Place): void {
    hosts.add(place.host, 1)
    hostsOfCompanies.add(pairOf(place), 1)
    if (place.isFailing) return
    quick += 1
    companies.add(place.companyId, 1)
  }

  function giveBackQuick({ companyId }: Place): void {
    quick -= 1
    companies.add(companyId, -1)
  }

  function startWaiting(): void {
    for (let at = 0; at < waiting.length; ) {
      const next = waiting[at]
      if (next === undefined || !mayStart(next.place)) {
        at += 1
        continue
      }
      waiting.splice(at, 1)
      take(next.place)
      next.start()
    }
  }

  function waitFor(place: Place): Promise<void> | undefined {
    if (mayStart(place)) return void take(place)
    return new Promise((start) => waiting.push({ place, start }))
  }

  return {
    async run(place, request) {
      await waitFor(place)
      let hasQuick = !place.isFailing
      const timer = setTimeout(() => {
        if (!hasQuick || slow >= options.slowMax) return
        hasQuick = false
        slow += 1
        giveBackQuick(place)
        startWaiting()
      }, options.slowAfterMs)
      try {
        return await request()
      } finally {
        clearTimeout(timer)
        if (hasQuick) giveBackQuick(place)
        else if (!place.isFailing) slow -= 1
        hosts.add(place.host, -1)
        hostsOfCompanies.add(pairOf(place), -1)
        startWaiting()
      }
    },
    // Those that wait while there are places wait for their company or host, and keep nobody else back.
    free: () => options.quickMax - quick,
    fullCompanies: () => companies.above(options.quickPerCompanyMax),
  }
}

/** Counts by key; a key whose count is 0 takes no memory. */
function createCounts<Key>() {
  const counts = new Map<Key, number>()
  return {
    of: (key: Key) => counts.get(key) ?? 0,
    add(key: Key, by: number): void {
      const count = (counts.get(key) ?? 0) + by
      if (count > 0) counts.set(key, count)
      else counts.delete(key)
    },
    above: (limit: number) => [...counts].filter(([, count]) => count >= limit).map(([key]) => key),
  }
}

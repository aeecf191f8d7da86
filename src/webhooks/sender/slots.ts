/** Requests under way. A slow one soon moves to places of its own, so that it keeps no quick one waiting. */
export type Slots = {
  /** Runs a request when there is a place for it. */
  run<Result>(companyId: number, request: () => Promise<Result>): Promise<Result>
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
}

export function createSlots({ quickMax, quickPerCompanyMax, slowMax, slowAfterMs }: SlotsOptions): Slots {
  const byCompany = new Map<number, number>()
  const waiting: { companyId: number; start: () => void }[] = []
  let quick = 0
  let slow = 0

  const countOf = (companyId: number) => byCompany.get(companyId) ?? 0

  function take(companyId: number): void {
    quick += 1
    byCompany.set(companyId, countOf(companyId) + 1)
  }

  function giveBack(companyId: number): void {
    quick -= 1
    const left = countOf(companyId) - 1
    if (left > 0) byCompany.set(companyId, left)
    else byCompany.delete(companyId)
    startWaiting()
  }

  const mayStart = (companyId: number) => quick < quickMax && countOf(companyId) < quickPerCompanyMax

  function startWaiting(): void {
    while (quick < quickMax) {
      const at = waiting.findIndex(({ companyId }) => mayStart(companyId))
      if (at === -1) return
      const [next] = waiting.splice(at, 1)
      if (next === undefined) return
      take(next.companyId)
      next.start()
    }
  }

  function waitFor(companyId: number): Promise<void> | undefined {
    if (mayStart(companyId)) return void take(companyId)
    return new Promise((start) => waiting.push({ companyId, start }))
  }

  return {
    async run(companyId, request) {
      await waitFor(companyId)
      let isSlow = false
      const timer = setTimeout(() => {
        if (slow >= slowMax) return
        isSlow = true
        slow += 1
        giveBack(companyId)
      }, slowAfterMs)
      try {
        return await request()
      } finally {
        clearTimeout(timer)
        if (isSlow) slow -= 1
        else giveBack(companyId)
      }
    },
    // Those that wait while there are places belong to full companies, and keep nobody else back.
    free: () => quickMax - quick,
    fullCompanies: () => [...byCompany].filter(([, count]) => count >= quickPerCompanyMax).map(([company]) => company),
  }
}

export type TestClock = { ahead_ms: number; stands_at: Date | null }

/** The time of a sandbox at a time of the machine. */
export function timeAt({ ahead_ms, stands_at }: TestClock, machine: Date): Date {
  return stands_at ?? new Date(machine.getTime() + ahead_ms)
}

/**
 * How long a test waits for what has to happen. Only a test that fails waits that long, so this is many times what a slow
 * machine with much else to do needs.
 */
export const PATIENCE_MS = 120_000

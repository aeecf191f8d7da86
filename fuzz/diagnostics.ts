/** Loaded into the service before its program: tells the fuzzer what the process has used so far. */

export type Usage = { cpuMs: number; memoryMb: number }
export type Question = 'cpu' | 'memory'

const BYTES_PER_MB = 1_048_576

function usage(question: Question): Usage {
  // Only what is still in use counts, not what waits to be collected.
  if (question === 'memory') globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { heapUsed, external } = process.memoryUsage()
  return { cpuMs: (user + system) / 1000, memoryMb: (heapUsed + external) / BYTES_PER_MB }
}

process.on('message', (question: Question) => process.send?.(usage(question)))
// The channel alone must not keep the process alive.
process.channel?.unref()

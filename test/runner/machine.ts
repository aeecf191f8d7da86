import { availableParallelism, totalmem } from 'node:os'

/** What a machine has for tests. `connectionsMax` is that of a PostgreSQL that others have set up. */
export type Machine = { cores: number; memoryBytes: number; connectionsMax?: number | undefined }

/** A worker, a browser, two services that a test has started, and their databases. */
const BYTES_EACH = 1.5 * 2 ** 30
/** A pool has 20 connections, and some test files start two services. */
const CONNECTIONS_EACH = 50
/** With more, the longest files decide how long all of them take. */
const WORKERS_MAX = 16

/** How many workers a machine can take: one for each core, if it has memory and connections for them. */
export function workersFor({ cores, memoryBytes, connectionsMax }: Machine): number {
  const byMemory = Math.floor(memoryBytes / BYTES_EACH)
  const byConnections = connectionsMax === undefined ? WORKERS_MAX : Math.floor(connectionsMax / CONNECTIONS_EACH)
  return Math.max(1, Math.min(cores, byMemory, byConnections, WORKERS_MAX))
}

/** The connections that a PostgreSQL for so many workers must allow. */
export function connectionsFor(workers: number): number {
  return Math.max(workers, 2) * CONNECTIONS_EACH
}

/** The room in memory that the databases of so many workers need at most. */
export function databaseBytesFor(workers: number): number {
  return (2 + workers) * 2 ** 28
}

/** This machine, or the part of it that a container may use. */
export function thisMachine(): Machine {
  const limitBytes = process.constrainedMemory()
  const memoryBytes = limitBytes > 0 ? Math.min(limitBytes, totalmem()) : totalmem()
  return { cores: availableParallelism(), memoryBytes }
}

/** A leaky bucket per app and company: `burst` deep, leaking `perSecond`. Kept per process. */
export type RateLimit = { burst: number; perSecond: number }

type Bucket = { level: number; at: number }

export type Drop = { allowed: boolean; remaining: number; resetSeconds: number; retrySeconds: number }

/** Above this many buckets the empty ones are thrown away: an empty bucket and none are the same. */
const BUCKETS_MAX = 10_000

/** Lets one more request into a bucket, or says how long to wait. Pure, so that its arithmetic can be tested. */
export function pour(bucket: Bucket, limit: RateLimit, nowMs: number): Drop {
  const leaked = ((nowMs - bucket.at) / 1000) * limit.perSecond
  bucket.level = Math.max(0, bucket.level - leaked)
  bucket.at = nowMs
  const allowed = bucket.level + 1 <= limit.burst
  if (allowed) bucket.level += 1
  return {
    allowed,
    remaining: Math.floor(limit.burst - bucket.level),
    resetSeconds: Math.ceil(bucket.level / limit.perSecond),
    retrySeconds: allowed ? 0 : Math.ceil((bucket.level + 1 - limit.burst) / limit.perSecond),
  }
}

export function createRateLimiter(limit: RateLimit): (key: string, nowMs: number) => Drop {
  const buckets = new Map<string, Bucket>()
  return (key, nowMs) => {
    let bucket = buckets.get(key)
    if (bucket === undefined) {
      if (buckets.size >= BUCKETS_MAX) dropEmpty(buckets, limit, nowMs)
      bucket = { level: 0, at: nowMs }
      buckets.set(key, bucket)
    }
    return pour(bucket, limit, nowMs)
  }
}

function dropEmpty(buckets: Map<string, Bucket>, limit: RateLimit, nowMs: number): void {
  for (const [key, bucket] of buckets) {
    if (bucket.level <= ((nowMs - bucket.at) / 1000) * limit.perSecond) buckets.delete(key)
  }
}

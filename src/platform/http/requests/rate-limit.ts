/**
 * A token bucket per app and company: it has room for `burst` tokens and gets `perSecond` of them back. Kept per
 * process.
 */
export type RateLimit = { burst: number; perSecond: number }

type Bucket = { tokens: number; at: number }

/** Whether a token was available, and the state of the bucket for the response headers. */
export type Taken = { allowed: boolean; remaining: number; resetSeconds: number; retrySeconds: number }

/** From this many buckets on, full ones are thrown away: a full bucket and none are the same. */
const BUCKETS_MANY = 10_000

function tokensAt({ tokens, at }: Bucket, { burst, perSecond }: RateLimit, nowMs: number): number {
  return Math.min(burst, tokens + ((nowMs - at) / 1000) * perSecond)
}

export function fullBucket({ burst }: RateLimit, nowMs: number): Bucket {
  return { tokens: burst, at: nowMs }
}

/** Takes a token for one more request, or says how long to wait for it. */
export function take(bucket: Bucket, limit: RateLimit, nowMs: number): Taken {
  bucket.tokens = tokensAt(bucket, limit, nowMs)
  bucket.at = nowMs
  const allowed = bucket.tokens >= 1
  if (allowed) bucket.tokens -= 1
  return {
    allowed,
    remaining: Math.floor(bucket.tokens),
    resetSeconds: Math.ceil((limit.burst - bucket.tokens) / limit.perSecond),
    retrySeconds: allowed ? 0 : Math.ceil((1 - bucket.tokens) / limit.perSecond),
  }
}

/** Takes a token from the bucket of a key. */
export function createRateLimiter(limit: RateLimit): (key: string, nowMs: number) => Taken {
  const buckets = new Map<string, Bucket>()
  let sweepSize = BUCKETS_MANY
  return (key, nowMs) => {
    let bucket = buckets.get(key)
    if (bucket === undefined) {
      if (buckets.size >= sweepSize) {
        deleteFull(buckets, limit, nowMs)
        // Buckets that are all in use must not be gone through for every new key.
        sweepSize = Math.max(BUCKETS_MANY, buckets.size * 2)
      }
      bucket = fullBucket(limit, nowMs)
      buckets.set(key, bucket)
    }
    return take(bucket, limit, nowMs)
  }
}

function deleteFull(buckets: Map<string, Bucket>, limit: RateLimit, nowMs: number): void {
  for (const [key, bucket] of buckets) {
    if (tokensAt(bucket, limit, nowMs) === limit.burst) buckets.delete(key)
  }
}

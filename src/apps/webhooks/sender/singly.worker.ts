/** Runs work once at a time: who asks while it runs gets another run after it. */
export function singly(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let following: Promise<void> | undefined
  const start = () => {
    running = work().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    if (running === undefined) return start()
    following ??= running
      // Whoever began that run gets its error.
      .catch(() => {})
      .then(() => {
        following = undefined
        return start()
      })
    return following
  }
}

/** From here on something counts as finished: the rest is credits. */
export const FINISHED = 0.97

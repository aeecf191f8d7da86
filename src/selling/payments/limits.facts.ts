/** A customer who has not finished paying by then has given up, and the goods are for others again. */
export const UNFINISHED_MINUTES = 60

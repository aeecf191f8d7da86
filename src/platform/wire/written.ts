/**
 * What a command has written: the state for callers inside the program, and the stored document, which the HTTP layer
 * sends. Nothing inside the program parses a document.
 */
export type Written<State> = { state: State; document: string }

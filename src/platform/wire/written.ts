/**
 * What a command has written: the state for callers inside the program, and the stored document, which the HTTP layer
 * sends. Nothing inside the program parses a document. `warnings` are sent beside the document, by commands that have any to
 * give; they are no part of it.
 */
export type Written<State> = { state: State; document: string; warnings?: readonly object[] }

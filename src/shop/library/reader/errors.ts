import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem } = problemsOf('Shop pages')

export const bookClosed = defineProblem('book_closed', {
  code: 'forbidden',
  message: 'This book is no longer open: go back to My Content and open it again.',
  when: 'The address of an open book is forged or has expired, or its customer has signed out.',
  remedy: 'Open the book again in the shop.',
})

export const bookPartOnly = defineProblem('book_part_only', {
  code: 'forbidden',
  message: 'This book is protected, so it is read part by part.',
  when: 'Somebody asks for the whole of a protected PDF, or for more than 1 MB of it at once.',
  remedy: 'Ask for parts with `Range: bytes=first-last`.',
})

export const bookReadTooFast = defineProblem<number>('book_read_too_fast', {
  code: 'rate_limited',
  message: 'This book is being fetched faster than anybody reads.',
  headers: (seconds) => ({ 'retry-after': String(seconds) }),
  when: 'Somebody fetches parts of a protected PDF faster than its pages can be turned.',
  remedy: 'Wait for the seconds in `Retry-After`.',
})

export const bookPartNotFound = defineProblem('book_part_not_found', {
  code: 'not_found',
  message: 'The book has no such part.',
  when: 'A reader asks for a file that is not in the book, or that is too large.',
  remedy: 'Check the book with a validator such as EPUBCheck.',
})

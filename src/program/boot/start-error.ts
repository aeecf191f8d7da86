/** A problem that an operator can fix: printed as one sentence, without a stack. */
export class StartError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.name = 'StartError'
    this.exitCode = exitCode
  }
}

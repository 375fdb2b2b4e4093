/** The exit codes of all commands but `probe` and `plan --detailed-exitcode`. CI jobs depend on them. */
export const EXIT = {
  /** The command did its work; of `run --wait`: everything passed. */
  ok: 0,
  /** The verdict is bad: a run failed, or a script has errors. */
  failed: 1,
  /** No verdict: wrong usage, no connection, a refused request, a timeout. */
  unknown: 2,
  /** Ended by SIGINT or SIGTERM. */
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** An error that ends a command with a message for the user. */
export class CliError extends Error {
  override readonly name: string = 'CliError'
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = EXIT.unknown) {
    super(message)
    this.exitCode = exitCode
  }
}

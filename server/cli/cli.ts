import type { Command } from 'commander'
import type { Styler } from './output/terminal-text.ts'

/** A command's view of its process. Only main.ts touches the process itself, so tests run commands in process. */
export type Cli = {
  /** Of the package, which is that of the installation that served it. */
  version: string
  environment: Readonly<Record<string, string | undefined>>
  terminal: Terminal
  /** Writes to standard output: the results of a command. The text has its own line breaks. */
  write: (text: string) => void
  /** Writes a line to standard error: progress and problems. */
  note: (line: string) => void
  /** Asks on the terminal; null when standard input is not one. */
  ask: ((question: string, options?: { isSecret?: boolean }) => Promise<string>) | null
  /** Reads standard input to its end. */
  readInput: () => Promise<string>
  send: (request: Request) => Promise<Response>
  /** Runs the other program of the package, the command line of the language, and returns its exit code. */
  probe: (args: string[]) => Promise<number>
  /**
   * Runs another program with the input and output of the process, and returns its exit code. The signal of this process ends
   * it too.
   */
  execute: (command: string[]) => Promise<number>
  /** Aborted by SIGINT and SIGTERM. */
  signal: AbortSignal
}

export type Terminal = {
  isTerminal: boolean
  columns: number
  rows: number
  style: Styler
}

/** Adds one command, or a group of commands, to the program. `action` wraps what a command does. */
export type Registration = (program: Command, cli: Cli, action: Action) => void

/** Makes the function that commander calls; the exit code is 0 unless `run` returns another, such as one of `EXIT`. */
export type Action = <A extends unknown[]>(
  run: (...args: A) => Promise<number | undefined>,
) => (...args: A) => Promise<void>

#!/usr/bin/env node
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { text } from 'node:stream/consumers'
import type { Cli } from './cli.ts'
import { createStyler } from './output/terminal-text.ts'
import { runCommandLine } from './program.ts'
import { askOnTerminal } from './terminal/ask.ts'
import { execute } from './terminal/execute.ts'

// The entry of the package `soundline`. Its folders are those of the sources, so the paths below hold in both.

const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
const environment: Cli['environment'] = { HOME: homedir(), ...process.env }
const { stdin, stdout, stderr } = process
const isTerminal = stdout.isTTY ?? false
const hasColors = isTerminal && !environment.NO_COLOR && stdout.hasColors()
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // A second signal ends a command that does not stop.
    if (stop.signal.aborted) process.exit(130)
    stop.abort(new Error('interrupted'))
  })
}
// The reader of a pipe, such as `head`, may end first.
stdout.on('error', () => process.exit(2))

process.exitCode = await runCommandLine(process.argv.slice(2), {
  version,
  environment,
  terminal: { isTerminal, columns: stdout.columns ?? 80, rows: stdout.rows ?? 24, style: createStyler(hasColors) },
  write: (text) => void stdout.write(text),
  note: (line) => void stderr.write(`${line}\n`),
  ask: stdin.isTTY ? (question, options) => askOnTerminal(question, stop.signal, options) : null,
  readInput: () => text(stdin),
  send: fetch,
  probe: async (args) => {
    const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'))
    const { main } = await import(new URL(`../../worker/cli/main${extension}`, import.meta.url).href)
    return main(args, { output: isTerminal, colours: hasColors })
  },
  execute: (command) => execute(command, stop.signal),
  signal: stop.signal,
})

import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Asks for a line on the terminal. A secret is not shown while it is typed. */
export async function askOnTerminal(
  question: string,
  signal: AbortSignal,
  { isSecret = false }: { isSecret?: boolean } = {},
): Promise<string> {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  // Standard output may be a file.
  if (isSecret) process.stderr.write(question)
  const lines = createInterface({ input: process.stdin, output: isSecret ? hidden : process.stderr, terminal: true })
  // In raw mode, readline gets Ctrl+C instead of the process.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return (await lines.question(isSecret ? '' : question, { signal })).trim()
  } finally {
    lines.close()
    if (isSecret) process.stderr.write('\n')
  }
}

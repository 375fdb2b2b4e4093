import { pino } from 'pino'
import { z } from 'zod'
import { logLevelField, readEnvironment, SettingsError } from './environment.ts'
import { messageOf, redactLog, redactText } from './log-redaction.ts'
import { currentTracing } from './tracing.ts'

/** The name of the program in each line, by the file that node was started with. */
const PROGRAMS: Record<string, string> = {
  'server/commands/start.ts': 'start',
  'server/commands/web.ts': 'web',
  'worker/main.ts': 'worker',
  'worker/agent/main.ts': 'agent',
  'worker/agent/main.js': 'agent',
  'bin/soundline-agent': 'agent',
}

/**
 * The log of this process: `log.info({ fields }, 'what happened')`. Writes JSON lines, or plain text in a terminal. Masks
 * fields with names of credentials, and API keys and the credentials of URLs in any string.
 */
export const log = pino({
  level: level(),
  base: { process: program() },
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }), log: redactLog },
  serializers: { err: (described) => described },
  hooks: {
    // Without a message, pino would take the error's own, unredacted.
    logMethod([first, ...rest], method) {
      const error = first instanceof Error ? first : (first as { err?: unknown })?.err
      if (error instanceof Error && rest.length === 0) rest.push(messageOf(error) as never)
      method.apply(this, [first, ...rest] as Parameters<typeof method>)
    },
    streamWrite: (written) => {
      const line = redactText(written)
      currentTracing()?.logLine(line)
      return process.stdout.isTTY ? readable(line) : line
    },
  },
})

// The program reports a wrong setting in its own words, not the logger.
function level(): string {
  try {
    return readEnvironment(z.object({ LOG_LEVEL: logLevelField })).LOG_LEVEL
  } catch (error) {
    if (error instanceof SettingsError) return 'info'
    throw error
  }
}

function program(): string {
  const started = (process.argv[1] ?? '').replaceAll('\\', '/')
  const found = Object.entries(PROGRAMS).find(([file]) => started.endsWith(`/${file}`))
  return found?.[1] ?? 'other'
}

function readable(line: string): string {
  const { time, level, process, msg, err, ...fields } = JSON.parse(line)
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
  if (typeof err === 'string') rest.push(` err=${JSON.stringify(err)}`)
  const trace = err?.stack ? `\n  ${err.type}: ${err.message}\n${err.stack}` : ''
  return `${time.slice(11, 19)} ${level.padEnd(5)} ${process.padEnd(6)} ${msg ?? ''}${rest.join('')}${trace}\n`
}

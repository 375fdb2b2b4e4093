import type { Context } from '@opentelemetry/api'
import { type LogAttributes, type Logger, SeverityNumber } from '@opentelemetry/api-logs'

/** Fields of one line that become attributes. */
const FIELDS_MAX = 32

const SEVERITIES: Record<string, SeverityNumber> = {
  trace: SeverityNumber.TRACE,
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
  fatal: SeverityNumber.FATAL,
}

type Line = { level: string; time: string; msg?: string; err?: unknown; process?: string }

/** Emits a line of the log as a log record, with the ids of the active span. */
export function emitLine(logger: Logger, line: string, context: Context): void {
  const { level, time, msg, err, process: _program, ...fields } = JSON.parse(line) as Line
  const attributes: LogAttributes = { ...errorAttributes(err) }
  for (const [name, value] of Object.entries(fields).slice(0, FIELDS_MAX)) {
    if (value === null || value === undefined) continue
    attributes[name] = typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean)
  }
  logger.emit({
    timestamp: Date.parse(time),
    severityNumber: SEVERITIES[level] ?? SeverityNumber.INFO,
    severityText: level,
    body: msg ?? '',
    attributes,
    context,
  })
}

function errorAttributes(err: unknown): LogAttributes {
  if (typeof err !== 'object' || err === null) return {}
  const { type, message, stack } = err as Record<string, unknown>
  return Object.fromEntries(
    Object.entries({ 'exception.type': type, 'exception.message': message, 'exception.stacktrace': stack }).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
}

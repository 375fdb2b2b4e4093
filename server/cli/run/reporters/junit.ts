import type { RunItem, RunReport } from '../report.ts'
import { failureText } from './failure-text.ts'
import type { Reporter, Sink } from './reporter.ts'

/** JUnit XML, as test reports of CI systems read it: a run without a verdict is an error, not a failure. */
export function junitReporter(write: Sink): Reporter {
  return { finished: (report) => write(junitXml(report)) }
}

function junitXml({ items, startedAt, durationMs, allowsSkipped }: RunReport): string {
  const cases = items.map((item) => ({ item, tag: tagOf(item, allowsSkipped) }))
  const count = (tag: Tag) => String(cases.filter((one) => one.tag === tag).length)
  const suite = {
    name: 'soundline',
    tests: String(items.length),
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds(durationMs),
    timestamp: startedAt,
  }
  const body = cases.map(({ item, tag }) => testCase(item, tag)).join('')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n<testsuite${attributes(suite)}>\n${body}</testsuite>\n</testsuites>\n`
}

type Tag = 'failure' | 'error' | 'skipped' | null

/** Reports are green only when the exit code may be 0. */
function tagOf({ verdict }: RunItem, allowsSkipped: boolean): Tag {
  if (verdict === 'passed') return null
  if (verdict === 'failed') return 'failure'
  return verdict === 'skipped' && allowsSkipped ? 'skipped' : 'error'
}

function testCase(item: RunItem, tag: Tag): string {
  const named = { name: item.serviceName, classname: 'soundline', time: seconds(item.durationMs ?? 0) }
  if (tag === null) return `<testcase${attributes(named)}/>\n`
  const message = attributes({ message: item.reason ?? item.verdict, ...(tag !== 'skipped' && { type: item.verdict }) })
  return `<testcase${attributes(named)}>\n<${tag}${message}>${escapeXml(failureText(item))}</${tag}>\n</testcase>\n`
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3)
}

function attributes(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join('')
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' }

/** XML 1.0 has no way to write most control characters and halves of surrogate pairs. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]/g, '\uFFFD')
    .replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? character)
}

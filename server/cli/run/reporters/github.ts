import { appendFile } from 'node:fs/promises'
import type { RunItem } from '../report.ts'
import { failureText } from './failure-text.ts'
import { markdownText } from './markdown.ts'
import type { Reporter } from './reporter.ts'

/** GitHub shows ten annotations of a step; the summary has the rest. */
const ANNOTATIONS_MAX = 10

/** Annotations of GitHub Actions on standard output, and the summary of the job. */
export function githubReporter(write: (text: string) => void, summaryFile: string | undefined): Reporter {
  return {
    finished: async (report) => {
      const wrong = report.items.filter(({ verdict }) => {
        return verdict !== 'passed' && !(verdict === 'skipped' && report.allowsSkipped)
      })
      for (const item of wrong.slice(0, ANNOTATIONS_MAX)) write(annotation(item))
      if (summaryFile) await appendFile(summaryFile, `${markdownText(report)}\n`)
    },
  }
}

function annotation(item: RunItem): string {
  const kind = item.verdict === 'failed' ? 'failed' : 'no verdict'
  const title = `${item.serviceName}: ${kind}`
  return `::error title=${escapeProperty(title)}::${escapeData(failureText(item))}\n`
}

/** Line breaks and percent signs as the runner decodes them; a break would end the command. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

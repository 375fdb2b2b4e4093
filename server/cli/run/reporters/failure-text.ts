import type { RunItem } from '../report.ts'

/** Returns why a run has not passed, in lines of plain text with the links. */
export function failureText({ reason, failures, url }: RunItem): string {
  const lines = failures.flatMap((failure) => [
    [failure.agentSlug, failure.request].filter(Boolean).join(': '),
    ...failure.lines.map(({ text }) => `  ${text}`),
    failure.url,
  ])
  return (lines.length > 0 ? lines : [reason ?? 'no verdict', ...(url === null ? [] : [url])]).join('\n')
}

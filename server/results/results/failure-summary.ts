// The one line that says why a run failed, such as `GET https://shop.example/cart: status 500, expected 200 (2 more failed)`.

type Request = { method: string; url: string }

/** Returns the line. `request` is null when the run failed as a whole; its URL is on one line. */
export function summaryOf(request: Request | null, cause: string, moreFailed: number): string {
  const place = request ? `${request.method} ${request.url}: ` : ''
  return `${place}${cause}${moreFailed > 0 ? ` (${moreFailed} more failed)` : ''}`
}

const SUMMARY = /^[A-Z]+ (?<url>https?:\/\/\S+?): (?<reason>.*?)(?: \(\d+ more failed\))?(?: \(on [^)]*\))?$/

/** Returns the host and the reason of a line; null when it names no request. */
export function parseSummary(summary: string): { host: string; reason: string } | null {
  const found = SUMMARY.exec(summary)?.groups
  if (!found?.url || !found.reason || !URL.canParse(found.url)) return null
  return { host: new URL(found.url).host, reason: found.reason }
}

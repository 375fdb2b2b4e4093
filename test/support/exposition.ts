import parse from 'parse-prometheus-text-format'

export type Sample = { labels: Record<string, string>; value: number }

type ParsedFamily = { name: string; type: string; metrics: { labels?: Record<string, string>; value: string }[] }

/**
 * Returns the samples of a text in Prometheus's exposition format, by their name as queries write it: those of a histogram
 * are `…_bucket`, `…_sum` and `…_count`. The parser would drop the labels of what it knows to be a histogram.
 */
export function parseExposition(text: string): Map<string, Sample[]> {
  const families = parse(text.replaceAll(/^# TYPE \S+ histogram\n/gm, '')) as ParsedFamily[]
  const found = new Map<string, Sample[]>()
  for (const { name, metrics } of families) {
    const samples = metrics.map(({ labels = {}, value }) => ({ labels, value: Number(value) }))
    found.set(name, [...(found.get(name) ?? []), ...samples])
  }
  return found
}

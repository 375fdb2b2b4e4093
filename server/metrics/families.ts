import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { Registry } from 'prom-client'

// The exposition formats. Samples are the same lines in both; OpenMetrics writes a counter's name without `_total` in its
// header, and ends with `# EOF`.

/** A metric with its samples, each on a line of its own. */
export type Family = { name: string; type: string; help: string; samples: string }

/** Returns what a registry has, with `labels` on each sample. Other work can run between two metrics. */
export async function readFamilies(registry: Registry, labels: Record<string, string>): Promise<Family[]> {
  registry.setDefaultLabels(labels)
  const families: Family[] = []
  for (const metric of registry.getMetricsAsArray()) {
    const { name, type, help } = metric as unknown as Family
    // Two lines of header, then the samples.
    const samples = (await registry.getSingleMetricAsString(name)).split('\n').slice(2).join('\n')
    if (samples) families.push({ name, type: String(type), help, samples })
    await yieldToEventLoop()
  }
  return families
}

/** Puts the samples of the same metric together. */
export function mergeFamilies(lists: readonly Family[][]): Family[] {
  const merged = new Map<string, Family & { parts: string[] }>()
  for (const family of lists.flat()) {
    const known = merged.get(family.name)
    if (known) known.parts.push(family.samples)
    else merged.set(family.name, { ...family, parts: [family.samples] })
  }
  return [...merged.values()].map(({ parts, ...family }) => ({ ...family, samples: parts.join('\n') }))
}

/** Returns whether a scraper asks for OpenMetrics. Prometheus does, and names the text format as its second choice. */
export function wantsOpenMetrics(accept: string | null): boolean {
  return accept?.includes('application/openmetrics-text') ?? false
}

/** Returns the body of a scrape and its content type. */
export function exposition(families: readonly Family[], isOpenMetrics: boolean): { type: string; body: string } {
  const parts = families.map(({ name, type, help, samples }) => {
    const shown = isOpenMetrics && type === 'counter' ? name.replace(/_total$/, '') : name
    const text = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
    return `# HELP ${shown} ${text}\n# TYPE ${shown} ${type}\n${samples}\n`
  })
  return isOpenMetrics
    ? { type: Registry.OPENMETRICS_CONTENT_TYPE, body: `${parts.join('')}# EOF\n` }
    : { type: Registry.PROMETHEUS_CONTENT_TYPE, body: parts.join('') }
}

import { Registry } from 'prom-client'
import { shouldYield, yieldToEventLoop } from '../../language/lace/event-loop.ts'

// The exposition formats. Samples are the same lines in both; OpenMetrics writes a counter's name without `_total` in its
// header, and ends with `# EOF`.

/** A metric with its samples, each on a line of its own, in pieces of some hundred lines. */
export type Family = { name: string; type: string; help: string; samples: string[] }

/** Samples that are written in one piece: they take 2 ms. */
const PIECE_SAMPLES = 500
/** The body is encoded in pieces of about this many characters. */
const BODY_PIECE = 256 * 1024

/** What the client library offers beyond its types. */
type Readable = { get: () => Promise<Read>; getForPromString?: () => Promise<Read> }
type Read = { name: string; type: string; help: string; values: unknown[] }
type Writer = { getMetricsAsString: (metric: Readable) => Promise<string> }

/** Returns what a registry has, with `labels` on each sample. Other work can run in between. */
export async function readFamilies(registry: Registry, labels: Record<string, string>): Promise<Family[]> {
  registry.setDefaultLabels(labels)
  const families: Family[] = []
  for (const metric of registry.getMetricsAsArray()) {
    const readable = metric as unknown as Readable
    const { values, ...read } = await (readable.getForPromString?.() ?? readable.get())
    const samples: string[] = []
    for (let from = 0; from < values.length; from += PIECE_SAMPLES) {
      const piece = { ...read, values: values.slice(from, from + PIECE_SAMPLES) }
      const text = await (registry as unknown as Writer).getMetricsAsString({ get: async () => piece })
      // Two lines of header, then the samples.
      samples.push(text.split('\n').slice(2).join('\n'))
      if (piece.values.length === PIECE_SAMPLES || shouldYield()) await yieldToEventLoop()
    }
    const { name, type, help } = read
    if (samples.length > 0) families.push({ name, type, help, samples })
    if (shouldYield()) await yieldToEventLoop()
  }
  return families
}

/** Puts the samples of the same metric together. */
export function mergeFamilies(lists: readonly Family[][]): Family[] {
  const merged = new Map<string, Family>()
  for (const family of lists.flat()) {
    const known = merged.get(family.name)
    if (known) for (const piece of family.samples) known.samples.push(piece)
    else merged.set(family.name, { ...family, samples: [...family.samples] })
  }
  return [...merged.values()]
}

/** Returns whether a scraper asks for OpenMetrics. Prometheus does, and names the text format as its second choice. */
export function wantsOpenMetrics(accept: string | null): boolean {
  return accept?.includes('application/openmetrics-text') ?? false
}

/** Returns the content type of a scrape. */
export function expositionType(isOpenMetrics: boolean): string {
  return isOpenMetrics ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE
}

/** Returns the body of a scrape in pieces. Other work can run between them. */
export async function* exposition(families: readonly Family[], isOpenMetrics: boolean): AsyncGenerator<Uint8Array> {
  let piece = ''
  for (const text of textsOf(families, isOpenMetrics)) {
    piece += text
    if (piece.length < BODY_PIECE) continue
    yield Buffer.from(piece)
    piece = ''
    await yieldToEventLoop()
  }
  yield Buffer.from(piece)
}

function* textsOf(families: readonly Family[], isOpenMetrics: boolean): Generator<string> {
  for (const { name, type, help, samples } of families) {
    const shown = isOpenMetrics && type === 'counter' ? name.replace(/_total$/, '') : name
    const text = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
    yield `# HELP ${shown} ${text}\n# TYPE ${shown} ${type}\n`
    for (const lines of samples) yield `${lines}\n`
  }
  if (isOpenMetrics) yield '# EOF\n'
}

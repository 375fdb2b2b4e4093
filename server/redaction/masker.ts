import { shouldYield, yieldToEventLoop } from '../lace/event-loop.ts'
import type { PatternSearch } from './pattern-search.ts'

/** Characters per window. A window takes about a millisecond, plus the length of the longest pattern. */
const WINDOW_LENGTH = 64 * 1024

/** A string, or bytes as one character each: bodies are searched by byte, because their charset may be wrong. */
export type SearchableText = { length: number; slice: (from: number, to: number) => string }

/**
 * Yields a text with all patterns replaced by `mask`, in pieces. Overlapping patterns share one mask. A pattern that
 * starts before `until` is masked completely; the text after `until` is not yielded.
 */
export async function* maskedPieces(
  text: SearchableText,
  until: number,
  search: PatternSearch,
  mask: string,
): AsyncGenerator<string> {
  const lengths = new Uint32Array(Math.min(WINDOW_LENGTH, until))
  let resume = 0
  for (let start = 0; start < until; start += WINDOW_LENGTH) {
    if (shouldYield()) await yieldToEventLoop()
    const count = Math.min(WINDOW_LENGTH, until - start)
    // A pattern that starts in the window may end after it.
    const window = text.slice(start, Math.min(text.length, start + count + search.maxLength - 1))
    let out = ''
    let copied = Math.max(0, resume - start)
    if (search.findStarts(window, count, lengths)) {
      for (let i = 0; i < count; i++) {
        if (lengths[i] === 0) continue
        // A pattern that starts inside another one extends the mask to its own end.
        if (i >= copied) out += window.slice(copied, i) + mask
        copied = Math.max(copied, i + lengths[i]!)
      }
      lengths.fill(0)
    }
    resume = start + copied
    yield out + window.slice(copied, count)
  }
}

import { shouldYield, yieldToEventLoop } from '#server/lace/event-loop.ts'
import type { PatternSearch } from './pattern-search.ts'

/** So many characters at a time: about a millisecond, beside the length of the longest pattern. */
const WINDOW_LENGTH = 64 * 1024

/** A text, or the bytes of one as characters: bodies are searched by byte, whatever their charset. */
export type SearchableText = { length: number; slice: (from: number, to: number) => string }

/**
 * A text with every pattern replaced by `mask`, piece by piece; patterns that overlap are replaced together. What begins
 * before `until` is replaced to its end, and nothing after that is given.
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
    // What begins in the window may end behind it.
    const window = text.slice(start, Math.min(text.length, start + count + search.maxLength - 1))
    let out = ''
    let copied = Math.max(0, resume - start)
    if (search.findStarts(window, count, lengths)) {
      for (let i = 0; i < count; i++) {
        if (lengths[i] === 0) continue
        // What begins inside of another is masked with it, to its own end.
        if (i >= copied) out += window.slice(copied, i) + mask
        copied = Math.max(copied, i + lengths[i]!)
      }
      lengths.fill(0)
    }
    resume = start + copied
    yield out + window.slice(copied, count)
  }
}

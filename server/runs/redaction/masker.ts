import { shouldYield, yieldToEventLoop } from '../../language/lace/event-loop.ts'
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
  const maskNext = windowMasker(search, mask, Math.min(WINDOW_LENGTH, until))
  for (let start = 0; start < until; start += WINDOW_LENGTH) {
    if (shouldYield()) await yieldToEventLoop()
    const count = Math.min(WINDOW_LENGTH, until - start)
    // A pattern that starts in the window may end after it.
    yield maskNext(text.slice(start, Math.min(text.length, start + count + search.maxLength - 1)), count)
  }
}

/**
 * The same for bytes that arrive in pieces: the result is that of `maskedPieces`. It holds one window, what a pattern may
 * reach beyond it, and one piece.
 */
export async function* maskedStream(
  pieces: AsyncIterable<Buffer>,
  search: PatternSearch,
  mask: string,
): AsyncGenerator<string> {
  const maskNext = windowMasker(search, mask, WINDOW_LENGTH)
  const reach = search.maxLength - 1
  let held = ''
  for await (const piece of pieces) {
    held += piece.toString('latin1')
    while (held.length >= WINDOW_LENGTH + reach) {
      if (shouldYield()) await yieldToEventLoop()
      yield maskNext(held.slice(0, WINDOW_LENGTH + reach), WINDOW_LENGTH)
      held = held.slice(WINDOW_LENGTH)
    }
  }
  while (held.length > 0) {
    if (shouldYield()) await yieldToEventLoop()
    const count = Math.min(WINDOW_LENGTH, held.length)
    yield maskNext(held.slice(0, count + reach), count)
    held = held.slice(count)
  }
}

/** Returns a function that masks the first `count` characters of a window. It is called with one window after the other. */
function windowMasker(search: PatternSearch, mask: string, maxLength: number) {
  const lengths = new Uint32Array(maxLength)
  /** How far a pattern of the windows before reaches into this one. */
  let covered = 0
  return (window: string, count: number): string => {
    let out = ''
    let copied = covered
    if (search.findStarts(window, count, lengths)) {
      for (let i = 0; i < count; i++) {
        if (lengths[i] === 0) continue
        // A pattern that starts inside another one extends the mask to its own end.
        if (i >= copied) out += window.slice(copied, i) + mask
        copied = Math.max(copied, i + lengths[i]!)
      }
      lengths.fill(0)
    }
    covered = Math.max(0, copied - count)
    return out + window.slice(copied, count)
  }
}

/** Below these the engine's own search is quick enough, whatever the texts are. */
const SHORT_LENGTH = 32
const SMALL_PRODUCT = 1_000_000

/**
 * Whether a text holds another, in time proportional to both: the engine's own search takes the product of their lengths
 * for texts that nearly match everywhere (Knuth, Morris and Pratt).
 */
export function containsText(text: string, wanted: string): boolean {
  if (wanted.length > text.length) return false
  if (wanted.length <= SHORT_LENGTH || text.length * wanted.length <= SMALL_PRODUCT) return text.includes(wanted)
  const borders = borderLengths(wanted)
  let matched = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    while (matched > 0 && unit !== wanted.charCodeAt(matched)) matched = borders[matched - 1]!
    if (unit === wanted.charCodeAt(matched)) matched++
    if (matched === wanted.length) return true
  }
  return false
}

/** For each beginning of a text, how long the longest is that it also ends with, itself apart. */
function borderLengths(text: string): Int32Array {
  const borders = new Int32Array(text.length)
  let length = 0
  for (let at = 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    while (length > 0 && unit !== text.charCodeAt(length)) length = borders[length - 1]!
    if (unit === text.charCodeAt(length)) length++
    borders[at] = length
  }
  return borders
}

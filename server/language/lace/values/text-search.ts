/** Below these sizes, the built-in search is fast enough for any input. */
const SHORT_LENGTH = 32
const SMALL_PRODUCT = 1_000_000

/**
 * Returns whether one string contains another, in linear time (Knuth-Morris-Pratt). The built-in search takes time
 * proportional to the product of both lengths when the strings nearly match everywhere.
 */
export function containsText(text: string, searched: string): boolean {
  if (searched.length > text.length) return false
  if (searched.length <= SHORT_LENGTH || text.length * searched.length <= SMALL_PRODUCT) return text.includes(searched)
  const borders = borderLengths(searched)
  let matched = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    while (matched > 0 && unit !== searched.charCodeAt(matched)) matched = borders[matched - 1]!
    if (unit === searched.charCodeAt(matched)) matched++
    if (matched === searched.length) return true
  }
  return false
}

/** For each prefix of a string, the length of its longest border: a proper prefix that is also its suffix. */
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

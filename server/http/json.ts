// Untrusted JSON. A mebibyte of many small values costs a hundred times as much to parse as one long string, so the values
// are counted first. That takes a millisecond for any content.

/** Many times what any operation needs; the largest input is 500 ids. */
const VALUES_MAX = 10_000
/** Above the limit of `findUnstorable`, which can name the field, and still cheap. */
const DEPTH_MAX = 128

const [QUOTE, BACKSLASH, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 44, 91, 93, 123, 125]

/**
 * Parses JSON in UTF-8.
 * @throws Error when it is not JSON, has more than `valuesMax` values, or is nested more than `depthMax` levels deep
 */
export function parseJson(bytes: Uint8Array, valuesMax = VALUES_MAX, depthMax = DEPTH_MAX): unknown {
  if (isTooMuch(bytes, valuesMax, depthMax)) throw new Error('too many values, or nested too deeply')
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
}

/** Returns whether the values are too many or too deep; for invalid JSON the result has no meaning. */
function isTooMuch(bytes: Uint8Array, valuesMax: number, depthMax: number): boolean {
  let values = 1
  let depth = 0
  let inString = false
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (inString) {
      if (byte === BACKSLASH) index++
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (byte === COMMA) values++
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      values++
      depth++
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--
    if (values > valuesMax || depth > depthMax) return true
  }
  return false
}

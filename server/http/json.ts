// JSON of strangers. What a mebibyte of it can hold in small pieces costs a hundred times what it costs in a long text,
// so it is looked over before it is parsed: that takes a millisecond, whatever it holds.

/** Many times what any operation takes: a selection is 500 ids. */
const VALUES_MAX = 10_000
/** Deeper than the check of what is parsed, which tells the field, and far from what costs. */
const DEPTH_MAX = 128

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 44, 91, 93, 123, 125]

/**
 * The value of a JSON text in UTF-8.
 * @throws Error when it is no JSON, holds more than 10,000 values, or is nested more than 128 deep
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (isTooMuch(bytes)) throw new Error('too many values, or nested too deeply')
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
}

/** Whether its values are too many or too deep. Of what is no JSON it may say either. */
function isTooMuch(bytes: Uint8Array): boolean {
  let values = 1
  let depth = 0
  let inText = false
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (inText) {
      if (byte === BACKSLASH) index++
      else if (byte === QUOTE) inText = false
    } else if (byte === QUOTE) inText = true
    else if (byte === COMMA) values++
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++
      depth++
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
    if (values > VALUES_MAX || depth > DEPTH_MAX) return true
  }
  return false
}

import type { StepBody } from '#server/schemas/results/results.ts'

/** Parsing and showing a larger body as a tree would block the page. */
const JSON_MAX = 1_000_000

/** Returns the object or array that a text contains as JSON; undefined for another text, or one that is too long. */
export function readJson(text: string): object | undefined {
  if (text.length > JSON_MAX || !/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function bodyBytes({ content, encoding }: StepBody): Uint8Array<ArrayBuffer> {
  if (encoding !== 'base64') return new TextEncoder().encode(content)
  return Uint8Array.from(atob(content), (character) => character.charCodeAt(0))
}

const ROW_BYTES = 16

/** Returns a dump like `hexdump -C`: the offset, 16 bytes and their ASCII characters per line. */
export function hexText(bytes: Uint8Array): string {
  const lines: string[] = []
  for (let offset = 0; offset < bytes.length; offset += ROW_BYTES) {
    const row = [...bytes.subarray(offset, offset + ROW_BYTES)]
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const ascii = row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('')
    lines.push(`${offset.toString(16).padStart(8, '0')}  ${hex.padEnd(ROW_BYTES * 3 - 1)}  ${ascii}`)
  }
  return lines.join('\n')
}

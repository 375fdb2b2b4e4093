/** Percent-encodes what is not ASCII in a received header, which has one character for each byte that was sent. */
export function escapeBytes(header: string): string {
  return header.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
}

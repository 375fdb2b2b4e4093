import { v7 as uuidv7 } from 'uuid'

/** An id of version 7 whose milliseconds are `at`: what a result's id is made of, so that it names its partition. */
export function createIdAt(at: Date): string {
  return uuidv7({ msecs: at.getTime() })
}

/** The instant in an id of version 7; null for an id of another kind, which names no partition. */
export function timestampOfId(id: string): Date | null {
  const hex = id.replaceAll('-', '')
  if (!/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/i.test(hex)) return null
  return new Date(Number.parseInt(hex.slice(0, 12), 16))
}

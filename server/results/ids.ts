import { v7 as uuidv7 } from 'uuid'

/** Returns a UUID of version 7 with the time `at`. A result's id contains its start, which determines its partition. */
export function createIdAt(at: Date): string {
  return uuidv7({ msecs: at.getTime() })
}

/** Returns the time in a UUID of version 7, null for another version. */
export function timestampOfId(id: string): Date | null {
  const hex = id.replaceAll('-', '')
  if (!/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/i.test(hex)) return null
  return new Date(Number.parseInt(hex.slice(0, 12), 16))
}

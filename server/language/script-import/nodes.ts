// Documents of others are read value by value, because any value can have a wrong type.

export type Node = { [key: string]: unknown }

/** Returns the object, or an empty one for any other value. */
export function nodeOf(value: unknown): Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : {}
}

/** Returns the array, or an empty one for any other value. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns the text, or an empty one for any other value. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns the names of values that are set, but for those that are known. */
export function namesBeside(node: Node, known: readonly string[]): string[] {
  return Object.keys(node).filter((name) => !known.includes(name) && node[name] !== undefined && node[name] !== null)
}

/**
 * Returns the process's one value of this name; `create` makes it at the first call. Next bundles its own copy of each
 * module that a page imports, so a module's variable would not be one per process.
 */
export function oncePerProcess<T>(name: string, create: () => T): T {
  const holder = globalThis as { [key: symbol]: T | undefined }
  const key = Symbol.for(`soundline.${name}`)
  holder[key] ??= create()
  return holder[key]
}

// Runs before each test file. Test files share a process, and the product stores its singletons on `globalThis`. This
// removes them, so that each file starts without those of the previous one.
for (const key of Object.getOwnPropertySymbols(globalThis)) {
  if (Symbol.keyFor(key)?.startsWith('soundline.')) Reflect.deleteProperty(globalThis, key)
}

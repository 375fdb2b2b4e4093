// Before each test file. Files of one worker share a process, and the product keeps what must be one per process on
// `globalThis`: the next file begins without what the last one put there.
for (const key of Object.getOwnPropertySymbols(globalThis)) {
  if (Symbol.keyFor(key)?.startsWith('soundline.')) Reflect.deleteProperty(globalThis, key)
}

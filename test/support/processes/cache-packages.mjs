import { registerHooks } from 'node:module'

// Node parses the `exports` of a package again for each module that imports it: a fifth of the processor time of a start.
// The project's own modules all find a package at the same place.
const ROOT = new URL('../../../', import.meta.url).href
const found = new Map()

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL, conditions } = context
    const isShared = /^[@a-z]/.test(specifier) && parentURL?.startsWith(ROOT) && !parentURL.includes('/node_modules/')
    if (!isShared) return next(specifier, context)
    const key = `${specifier} ${conditions}`
    if (!found.has(key)) found.set(key, { ...next(specifier, context), shortCircuit: true })
    return found.get(key)
  },
})

import type { Script } from '../../language/lace/ast.ts'
import { validateScript } from '../../language/lace/validator.ts'
import { SCRIPT_SCOPES } from '../../scripts/script-scopes.ts'

/** Parsed scripts by service; a new version replaces the old one. */
const scriptCache = new Map<string, { version: number; ast: Script | null }>()
/** In characters of source. Trees take about thirty times as much memory. */
const MAX_CACHED_SOURCE = 4_000_000
let cachedSourceLength = 0

/** Returns the tree of a service's script; null when the script cannot be parsed. */
export function parseScript(serviceId: string, version: number, source: string): Script | null {
  const cached = scriptCache.get(serviceId)
  if (cached?.version === version) return cached.ast
  const { ast } = validateScript(source, { scopes: SCRIPT_SCOPES })
  if (cachedSourceLength + source.length > MAX_CACHED_SOURCE) {
    scriptCache.clear()
    cachedSourceLength = 0
  }
  scriptCache.set(serviceId, { version, ast })
  cachedSourceLength += source.length
  return ast
}

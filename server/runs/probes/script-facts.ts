import type { Script } from '../../language/lace/ast.ts'
import { referencesOf } from '../../language/lace/references.ts'
import { dependsOnTrust } from '../../scripts/policy.ts'
import { SCRIPT_SCOPES } from '../../scripts/script-scopes.ts'

/**
 * Facts that follow from the tree of a script alone. It is computed once for each tree, because a tree runs many times.
 */
export type ScriptFacts = {
  usesPrev: boolean
  /** A call may change something at its target. */
  writes: boolean
  /** Returns whether the script may not run on this schedule if its targets are unverified. */
  dependsOnTrust: (schedule: string) => boolean
}

/** Whether a script may change something at its targets; one that cannot be parsed sends nothing. */
export function mayWrite(ast: Script | null): boolean {
  return ast !== null && factsOf(ast).writes
}

const factsByTree = new WeakMap<Script, ScriptFacts>()

export function factsOf(ast: Script): ScriptFacts {
  const known = factsByTree.get(ast)
  if (known) return known
  const facts = findFacts(ast)
  factsByTree.set(ast, facts)
  return facts
}

function findFacts(ast: Script): ScriptFacts {
  let last: { schedule: string; depends: boolean } | null = null
  return {
    writes: ast.calls.some(({ method }) => method !== 'get'),
    usesPrev: referencesOf(ast, SCRIPT_SCOPES).usesPrev,
    dependsOnTrust(schedule) {
      if (last?.schedule !== schedule) last = { schedule, depends: dependsOnTrust(ast, schedule) }
      return last.depends
    },
  }
}

/** The scopes as scripts name them, outermost first: `$o.x`, `$w.x`, `$p.x`, `$s.x`. There is no fall-back between them. */
export const SCRIPT_SCOPES = ['o', 'w', 'p', 's'] as const
export type ScriptScope = (typeof SCRIPT_SCOPES)[number]

// What a transaction pooler loses, because the next transaction of the client runs on another server connection.

const SESSION_STATE = [
  /\bset\s+(?!local\b|transaction\b)(session\s+)?[a-z_.]+\s*(=|\bto\b)/i,
  /\bset\s+session\b/i,
  /\bset_config\([^)]*,\s*false\s*\)/i,
  /\b(un)?listen\b(?!\s*\()/i,
  /\bpg_(try_)?advisory_lock(_shared)?\s*\(/i,
  /\bcreate\s+(local\s+|global\s+)?temp(orary)?\b/i,
  /\bdeclare\b.*\bwith hold\b/is,
  /^\s*(prepare|deallocate|discard|load)\b/i,
]

/** Returns whether a statement leaves state in the session. `update … set` and texts in quotes do not. */
export function leavesSessionState(text: string): boolean {
  const code = text.replace(/'(?:[^']|'')*'/g, "''").replace(/\b(update\b[\s\S]*?|do update\s+)set\b/gi, '$1')
  return SESSION_STATE.some((pattern) => pattern.test(code))
}

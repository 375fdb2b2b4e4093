/** In characters. */
export const SCRIPT_MAX = 65_536

/** The limits of a run that a script may not raise. The editor validates with the same ones as the server. */
export const SCRIPT_LIMITS = { maxRedirects: 10, maxTimeoutMs: 60_000, hasPrev: true }

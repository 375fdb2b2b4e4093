/** Called with the text of each statement that is sent. The returned function is called at its end, with its error. */
export type StatementObserver = (text: string) => ((error: unknown) => void) | null

// One per process, although Next bundles a second copy of this module.
const GLOBAL_KEY = Symbol.for('soundline.statement-observer')
const holder = globalThis as { [GLOBAL_KEY]?: StatementObserver | null }

/** Sets the observer of all statements of this process; null for none. */
export function observeStatements(observer: StatementObserver | null): void {
  holder[GLOBAL_KEY] = observer
}

export function observeStatement(text: string): ((error: unknown) => void) | null {
  return holder[GLOBAL_KEY]?.(text) ?? null
}

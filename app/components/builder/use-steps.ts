import { useEffect, useRef, useState } from 'react'
import type { ReadSteps } from '#server/language/builder/read-steps.ts'
import { NEW_STEP, type Step } from '#server/language/builder/steps.ts'
import { writeSteps } from '#server/language/builder/write-steps.ts'

/** Why the builder cannot show a script. */
export type Blocked = { line: number; reason: string }

/** `key` stays with a step when steps move. */
export type KeyedStep = Step & { key: number }

/** `isRead`: the steps are those of the text, or `blocked` says why there are none. */
type State = { steps: KeyedStep[]; text: string | null; blocked: Blocked | null; isRead: boolean }

/** The text of a script as steps, or why it cannot be steps. */
export type StartOfSteps = { steps: Step[] } | { text: string }

/** Loaded with the first text, because the parser of the language is large. */
const loadReader = () => import('#server/language/builder/read-steps.ts')

/**
 * The steps that the builder edits, and the script of them. A text that a member writes is the script as it is, until they
 * change a step again.
 */
export function useSteps(start: StartOfSteps) {
  const nextKey = useRef(0)
  const keyed = (step: Step): KeyedStep => ({ ...step, key: nextKey.current++ })
  const [state, setState] = useState<State>(() =>
    'text' in start
      ? { steps: [], text: start.text, blocked: null, isRead: false }
      : { steps: start.steps.map(keyed), text: null, blocked: null, isRead: true },
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: only for a text that is not read
  useEffect(() => {
    const { text, isRead } = state
    if (text === null || isRead) return
    const show = (read: ReadSteps) =>
      setState((now) => {
        if (now.text !== text) return now
        if (!('steps' in read)) return { ...now, blocked: read, isRead: true }
        const steps = read.steps.map((step, at) => ({ ...step, key: now.steps[at]?.key ?? nextKey.current++ }))
        return { steps, text, blocked: null, isRead: true }
      })
    void loadReader().then(({ readSteps }) => show(readSteps(text)))
  }, [state.text, state.isRead])
  const { steps, text, blocked } = state
  const change = (edit: (steps: KeyedStep[]) => KeyedStep[]) =>
    setState((now) => ({ steps: edit(now.steps), text: null, blocked: null, isRead: true }))
  return {
    steps,
    blocked,
    /** False while a text is read. */
    isRead: state.isRead,
    script: text ?? writeSteps(steps),
    setSteps: (next: Step[]) =>
      change((now) => next.map((step, at) => ({ ...step, key: now[at]?.key ?? nextKey.current++ }))),
    setStep: (key: number, next: Step) =>
      change((now) => now.map((step) => (step.key === key ? { ...next, key } : step))),
    add: () => change((now) => [...now, keyed({ ...NEW_STEP, assertions: STATUS_200 })]),
    duplicate: (key: number) =>
      // A value is taken once in a script.
      change((now) => now.flatMap((step) => (step.key === key ? [step, keyed({ ...step, takes: [] })] : step))),
    remove: (key: number) => change((now) => now.filter((step) => step.key !== key)),
    move: (key: number, by: -1 | 1) => change((now) => moved(now, key, by)),
    setText: (next: string) => setState((now) => ({ ...now, text: next, isRead: false })),
    /** Drops a text that the builder cannot show. */
    discardText: () => change((now) => now),
  }
}

export type Steps = ReturnType<typeof useSteps>

/** What a request that is not tested expects. */
export const STATUS_200: Step['assertions'] = [{ kind: 'scope', level: 'expect', scope: 'status', value: '200' }]

function moved(steps: KeyedStep[], key: number, by: -1 | 1): KeyedStep[] {
  const from = steps.findIndex((step) => step.key === key)
  const step = steps[from]
  const to = from + by
  if (!step || to < 0 || to >= steps.length) return steps
  return steps.toSpliced(from, 1).toSpliced(to, 0, step)
}

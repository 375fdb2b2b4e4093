import { useEffect, useRef, useState } from 'react'
import type { Assertion, Step } from '#server/language/builder/steps.ts'
import { writeTest } from '#server/language/builder/write-steps.ts'
import type { NewSecret } from '#server/schemas/new-service/secrets.ts'
import { type Suggestion, suggestAssertions } from '#server/schemas/new-service/suggestions.ts'
import { useDraftRun } from '../drafts/use-draft-run.ts'
import { STATUS_200, type Steps } from './use-steps.ts'

/**
 * Tests the steps, which asserts nothing of their responses, and puts what the responses suggest into the steps. A text that
 * the builder cannot show is tested as it is.
 */
export function useTests(given: {
  steps: Steps
  secrets: NewSecret[]
  serviceId?: string
  /** Whether the domains of the steps allow `includes`; null until it is known. */
  mayInclude: boolean | null
}) {
  const { steps: builder, secrets, mayInclude } = given
  const { steps, script, blocked } = builder
  const draft = useDraftRun(given.serviceId)
  /** The requests of the last test. */
  const [tested, setTested] = useState<string[]>([])
  const requests = blocked ? [script] : steps.map(requestOf)
  const ended = draft.ended
  const result = ended?.result ?? null
  const isCurrent = (at: number) => tested[at] === requests[at]
  const hasChanged = tested.some((request, at) => at < requests.length && request !== requests[at])
  const suggestions = steps.map((_, at) => (result && !blocked && isCurrent(at) ? suggestAssertions(result, at) : []))

  // What the last test suggested is replaced, and what the member added stays.
  const suggested = useRef<Assertion[]>(STATUS_200)
  const applied = useRef<string | null>(null)
  useEffect(() => {
    if (!ended?.result || applied.current === ended.id || blocked || mayInclude === null) return
    applied.current = ended.id
    const next = steps.map((step, at) => withSuggestions(step, suggestions[at] ?? [], suggested.current, mayInclude))
    suggested.current = [...STATUS_200, ...suggestions.flat().map(({ assertion }) => assertion)]
    if (JSON.stringify(next) !== JSON.stringify(steps)) builder.setSteps(next)
  }, [ended, steps, suggestions, blocked, mayInclude, builder])

  return {
    ended,
    result,
    /** Whether the last test sent the step as it is now. */
    isCurrent,
    hasChanged,
    suggestions,
    isTesting: draft.isPending,
    error: hasChanged ? null : draft.error,
    test: () => {
      setTested(requests)
      draft.start(blocked ? script : writeTest(steps), secrets)
    },
  }
}

export type Tests = ReturnType<typeof useTests>

/** What a step sends, without what it expects and takes. */
function requestOf(step: Step): string {
  return writeTest([{ ...step, takes: [] }])
}

/** Without a response, a step keeps what it expects. */
function withSuggestions(step: Step, suggestions: Suggestion[], replaced: Assertion[], mayInclude: boolean): Step {
  if (suggestions.length === 0) return step
  const own = step.assertions.filter((one) => !replaced.some((other) => isSame(one, other)))
  const fresh = suggestions.flatMap(({ isTicked, assertion }) => {
    const isAllowed = mayInclude || !usesIncludes(assertion)
    return isTicked && isAllowed && !own.some((one) => excludes(one, assertion)) ? assertion : []
  })
  return { ...step, assertions: [...fresh, ...own] }
}

export function isSame(one: Assertion, other: Assertion): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** A scope can be asserted once on each level. */
export function excludes(one: Assertion, other: Assertion): boolean {
  if (one.kind === 'scope' && other.kind === 'scope') return one.level === other.level && one.scope === other.scope
  return isSame(one, other)
}

export function usesIncludes(assertion: Assertion): boolean {
  return assertion.kind === 'condition' && /\bincludes\(/.test(assertion.expression)
}

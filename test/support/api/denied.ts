import { expect } from 'vitest'
import type { Answer } from './contract.ts'

/** Returns the parts of a response that say what was refused and why. */
export function refusal({ status, body }: Answer): Record<string, unknown> {
  return { status, ...(body as object) }
}

/** Expects every response to be a 404 that names the id that was not found, and no more. */
export function expectAbsent(answers: Answer[]): void {
  expect(answers.length).toBeGreaterThan(0)
  for (const answer of answers)
    expect(refusal(answer)).toEqual({ status: 404, error: 'not_found', details: { field: expect.any(String) } })
}
